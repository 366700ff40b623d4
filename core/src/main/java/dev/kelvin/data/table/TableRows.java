package dev.kelvin.data.table;

import dev.kelvin.data.table.Schema.Column;
import dev.kelvin.data.table.Schema.Kind;
import dev.kelvin.data.table.file.TableSource;
import dev.kelvin.io.UnreadableFileException;
import dev.kelvin.part.Words;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A file's rows by the schema of a table that was learnt from, some at a time. Columns are found by their names where the
 * file has them, in any order and among others, and by their places where it has none. A row that cannot be read is reported
 * and skipped.
 */
public final class TableRows implements Closeable {
    private static final int NUMBERS = 1 << 18; // in a block, about
    private static final int MOST_ROWS = 1 << 13; // in a block

    private final TableSource source;
    private final Schema schema;
    private final Encoder encoder;
    private final List<Column> used;
    private final Places places;
    private final int[] order; // of the cells that were picked: as they are
    private final boolean gaps; // whether missing cells are let through
    private final List<String> names;
    private long row;

    private TableRows(TableSource source, Schema schema, boolean gaps) throws IOException {
        this.source = source;
        this.schema = schema;
        this.gaps = gaps;
        this.encoder = new Encoder(schema, gaps);
        this.used = schema.used();
        this.places = Places.of(source, schema);
        this.order = IntStream.range(0, used.size()).toArray();
        names = places.header() ? List.copyOf(source.first()) : List.of();
        if (places.header()) {
            source.next();
        }
    }

    /**
     * Opens a file.
     *
     * @param gaps whether missing cells are let through, whatever the schema makes of them otherwise: all inputs of such a cell are
     *     NaN, and blocks have the rows' cells as text
     * @throws UnreadableFileException if it is no table, or lacks columns of the schema, which are named
     */
    public static TableRows open(Path path, Schema schema, boolean gaps) throws IOException {
        TableSource source = TableSource.open(path);
        try {
            return new TableRows(source, schema, gaps);
        } catch (IOException | RuntimeException e) {
            source.close();
            throw e;
        }
    }

    /** The names of the file's columns; empty where it has none. */
    public List<String> names() {
        return names;
    }

    /** For each used column of the schema its place among a row's cells. */
    public int[] places() {
        return places.used().clone();
    }

    /** Whether the file has the column of labels. */
    public boolean labelled() {
        return places.label() >= 0;
    }

    /** The next rows; nothing after the last. */
    public Optional<RowBlock> next() throws IOException {
        int width = encoder.width();
        int most = Math.max(1, Math.min(MOST_ROWS, NUMBERS / width));
        List<RowBlock.Row> rows = new ArrayList<>();
        List<BadRow> bad = new ArrayList<>();
        double[] cells = new double[used.size()];
        while (rows.size() + bad.size() < most && source.next()) {
            row++;
            if (pick(cells, bad)) {
                double[] inputs = new double[width];
                encoder.encode(cells, order, inputs, 0);
                rows.add(new RowBlock.Row(row, inputs, labelled() ? label() : "", gaps ? texts() : List.of()));
            }
        }
        return rows.isEmpty() && bad.isEmpty()
                ? Optional.empty()
                : Optional.of(new RowBlock(rows, bad, source.share()));
    }

    private List<String> texts() {
        return IntStream.range(0, source.cells()).mapToObj(source::text).toList();
    }

    private String label() {
        String found = source.text(places.label());
        return TableSource.isMissing(found) ? "" : WordCodes.word(found);
    }

    /** Reads the cells that are used; false if the row is bad. */
    private boolean pick(double[] cells, List<BadRow> bad) {
        if (source.cells() != places.cells()) {
            String problem = CellProblem.cells(source.cells(), places.cells());
            bad.add(new BadRow(row, source.line(), Optional.empty(), problem));
            return false;
        }
        int[] at = places.used();
        for (int i = 0; i < at.length; i++) {
            double number = used.get(i).words().isEmpty() ? source.number(at[i]) : Double.NaN;
            if (Double.isFinite(number)) {
                cells[i] = number;
                continue;
            }
            Optional<String> problem = word(i, number, source.text(at[i]), cells);
            if (problem.isPresent()) {
                bad.add(new BadRow(row, source.line(), Optional.of(used.get(i).name()), problem.get()));
                return false;
            }
        }
        return true;
    }

    /** A cell that is no number: missing, or a word; otherwise what is wrong with it. */
    private Optional<String> word(int i, double number, String text, double[] cells) {
        Column column = used.get(i);
        if (TableSource.isMissing(text)) {
            cells[i] = Double.NaN;
            return gaps || column.fill().isPresent() ? Optional.empty() : Optional.of(CellProblem.of(number, text));
        }
        if (column.kind() == Kind.NUMERIC) {
            return Optional.of(CellProblem.of(number, text));
        }
        int code = column.words().indexOf(text); // WordCodes.NONE where it is not among them
        cells[i] = code;
        return code >= 0 || schema.unknownWord() == TableColumns.UnknownWord.ZEROS
                ? Optional.empty()
                : Optional.of(
                        "holds the word " + Words.quote(text) + ", which was not in the table that was learnt from");
    }

    @Override
    public void close() throws IOException {
        source.close();
    }
}

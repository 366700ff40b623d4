package dev.kelvin.data.table;

import dev.kelvin.data.table.file.TableSource;
import dev.kelvin.io.UnreadableFileException;
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
    private final CellReader reader;
    private final CellReader.Cells cells;
    private final Places places;
    private final boolean gaps; // whether missing cells are let through
    private final List<String> names;
    private long row;

    private TableRows(TableSource source, Schema schema, boolean gaps) throws IOException {
        this.source = source;
        this.gaps = gaps;
        this.reader = new CellReader(schema, gaps);
        this.places = Places.of(source, schema);
        this.cells = cells(source, places.used());
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

    /** How many rows of so many inputs {@link #next} reads, bad ones counted. */
    public static int together(int width) {
        return Math.max(1, Math.min(MOST_ROWS, NUMBERS / width));
    }

    /** The next rows; nothing after the last. */
    public Optional<RowBlock> next() throws IOException {
        int width = reader.width();
        int most = together(width);
        List<RowBlock.Row> rows = new ArrayList<>();
        List<BadRow> bad = new ArrayList<>();
        while (rows.size() + bad.size() < most && source.next()) {
            row++;
            double[] inputs = new double[width];
            Optional<BadRow> problem = read(inputs);
            if (problem.isPresent()) {
                bad.add(problem.get());
            } else {
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

    /** What is wrong with the row, whose cells are read otherwise. */
    private Optional<BadRow> read(double[] inputs) {
        if (source.cells() != places.cells()) {
            String problem = CellProblem.cells(source.cells(), places.cells());
            return Optional.of(new BadRow(row, source.line(), Optional.empty(), problem));
        }
        return reader.read(cells, inputs)
                .map(problem -> new BadRow(row, source.line(), Optional.of(problem.column()), problem.words()));
    }

    /** Those of the row at which the source is. */
    private static CellReader.Cells cells(TableSource source, int... at) {
        return new CellReader.Cells() {
            @Override
            public double number(int column) {
                return source.number(at[column]);
            }

            @Override
            public String text(int column) {
                return source.text(at[column]);
            }
        };
    }

    @Override
    public void close() throws IOException {
        source.close();
    }
}

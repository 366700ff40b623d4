package dev.kelvin.data.table;

import dev.kelvin.data.table.Schema.Column;
import dev.kelvin.data.table.Schema.Kind;
import dev.kelvin.data.table.file.TableSource;
import dev.kelvin.part.Words;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * From the cells of a row, wherever they are stored, to a model's inputs: missing cells are filled or refused, words become
 * one-hot, and what cannot be read is told in words. For one thread.
 */
public final class CellReader {
    /** The cells of one row, by the places of their columns among the used ones of the schema. */
    public interface Cells {
        /** The cell's number; NaN where it is none. */
        double number(int column);

        /** The cell's text without spaces around it; empty where it is missing. */
        String text(int column);
    }

    /**
     * What is wrong with a row.
     *
     * @param column the column's name
     * @param words what is wrong, in words that follow it: "holds 'abc', which is no number"
     */
    public record Problem(String column, String words) {}

    private final Schema schema;
    private final boolean gaps;
    private final Encoder encoder;
    private final List<Column> used;
    private final int[] order; // of the cells: as they are
    private final double[] cells;

    /**
     * Of rows of such a table.
     *
     * @param gaps whether missing cells are let through, whatever the schema makes of them otherwise: all inputs of such a cell are
     *     NaN
     */
    public CellReader(Schema schema, boolean gaps) {
        this.schema = schema;
        this.gaps = gaps;
        encoder = new Encoder(schema, gaps);
        used = schema.used();
        order = IntStream.range(0, used.size()).toArray();
        cells = new double[used.size()];
    }

    /** How many inputs a row has. */
    public int width() {
        return encoder.width();
    }

    /** Reads a row's inputs, in the table's own units; returns what is wrong with the first cell that cannot be read. */
    public Optional<Problem> read(Cells row, double[] inputs) {
        for (int i = 0; i < cells.length; i++) {
            double number = used.get(i).words().isEmpty() ? row.number(i) : Double.NaN;
            if (Double.isFinite(number)) {
                cells[i] = number;
                continue;
            }
            Optional<String> problem = word(i, number, row.text(i));
            if (problem.isPresent()) {
                return Optional.of(new Problem(used.get(i).name(), problem.get()));
            }
        }
        encoder.encode(cells, order, inputs, 0);
        return Optional.empty();
    }

    /** A cell that is no number: missing, or a word; otherwise what is wrong with it. */
    private Optional<String> word(int i, double number, String text) {
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
}

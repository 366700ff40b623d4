package dev.kelvin.data.table;

import dev.kelvin.part.InvalidInputException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A table that has been read: its rows as a model's inputs in the table's own units, with the labels beside them.
 */
public final class NumberTable {
    private final Path path;
    private final Schema schema;
    private final List<double[]> cells;
    private final int[] places; // of the used columns among the cells
    private final int[] labels; // places among the schema's classes
    private final List<String> remarks;
    private final Encoder encoder;

    NumberTable(Path path, Schema schema, List<double[]> cells, int[] places, int[] labels, List<String> remarks) {
        this.path = path;
        this.schema = schema;
        this.cells = cells;
        this.places = places.clone();
        this.labels = labels.clone();
        this.remarks = List.copyOf(remarks);
        this.encoder = new Encoder(schema, false);
    }

    /**
     * Rows of numbers, which are read once, one at a time; their columns are called x1, x2, ...
     *
     * @throws InvalidInputException if there are fewer than two, one is null, of another width or has a value that is no finite
     *     number, or a column has one value alone
     */
    public static NumberTable of(Iterator<double[]> rows) {
        List<double[]> cells = new ArrayList<>();
        double[] low = {};
        double[] high = {};
        for (int i = 0; rows.hasNext(); i++) {
            double[] row = rows.next();
            if (row == null || row.length == 0) {
                throw new InvalidInputException("row " + i + (row == null ? " is null" : " has no values"));
            }
            if (i == 0) {
                low = row.clone();
                high = row.clone();
            }
            if (row.length != low.length) {
                throw new InvalidInputException("row " + i + " has " + row.length
                        + (row.length == 1 ? " value" : " values") + ", and those before have " + low.length);
            }
            for (int j = 0; j < row.length; j++) {
                if (!Double.isFinite(row[j])) {
                    throw new InvalidInputException(
                            "row " + i + " has " + row[j] + " as its value " + j + "; expected finite numbers");
                }
                low[j] = Math.min(low[j], row[j]);
                high[j] = Math.max(high[j], row[j]);
            }
            cells.add(row.clone());
        }
        if (cells.size() < 2) {
            throw new InvalidInputException("there must be two rows or more, found " + cells.size());
        }
        List<Schema.Column> columns = new ArrayList<>();
        for (int j = 0; j < low.length; j++) {
            if (low[j] == high[j]) {
                throw new InvalidInputException("column " + j + " has " + low[j] + " alone; leave it out");
            }
            if (!Double.isFinite((high[j] - low[j]) * (high[j] - low[j]) * cells.size())) {
                throw new InvalidInputException("column " + j + " has " + Math.max(-low[j], high[j])
                        + "; expected numbers whose squares do not overflow");
            }
            columns.add(new Schema.Column(
                    "x" + (j + 1), Schema.Kind.NUMERIC, List.of(), Optional.empty(), low[j], high[j]));
        }
        Schema schema = new Schema(false, columns, List.of(), Optional.empty(), TableColumns.UnknownWord.REFUSE);
        int[] places = IntStream.range(0, low.length).toArray();
        return new NumberTable(Path.of("rows"), schema, cells, places, new int[0], List.of());
    }

    /** The file. */
    public Path path() {
        return path;
    }

    /** Its columns. */
    public Schema schema() {
        return schema;
    }

    /** How many rows there are, learnt from or not. */
    public int rows() {
        return cells.size();
    }

    /** How many inputs a row has. */
    public int width() {
        return encoder.width();
    }

    /** Puts a row's inputs, in the table's own units, into an array from a place on. */
    public void copy(int row, double[] into, int at) {
        encoder.encode(cells.get(row), places, into, at);
    }

    /** The inputs of these rows, [k, width] in one array. */
    public double[] inputs(int... rows) {
        double[] inputs = new double[Math.multiplyExact(rows.length, width())];
        for (int i = 0; i < rows.length; i++) {
            copy(rows[i], inputs, i * width());
        }
        return inputs;
    }

    /** The cells of one of the used columns in these rows, missing ones filled; a word's is its place. */
    double[] column(int used, int... rows) {
        double fill = schema.used().get(used).fill().orElse(Double.NaN);
        return IntStream.of(rows)
                .mapToDouble(row -> cells.get(row)[places[used]])
                .map(cell -> Double.isNaN(cell) ? fill : cell)
                .toArray();
    }

    /** The row's label as a place among {@link Schema#classes}; −1 where it has none. */
    public int label(int row) {
        return labels.length == 0 ? WordCodes.NONE : labels[row];
    }

    /** The row's label as a word. */
    public Optional<String> labelWord(int row) {
        return label(row) < 0 ? Optional.empty() : Optional.of(schema.classes().get(label(row)));
    }

    /** Whether the row may be learnt from: all are, or those with the label of {@code trainOn}. */
    public boolean learntFrom(int row) {
        return schema.trainOn()
                .map(word -> labelWord(row).equals(Optional.of(word)))
                .orElse(true);
    }

    /** How many rows have each class. */
    public int[] classCounts() {
        int[] counts = new int[schema.classes().size()];
        Arrays.stream(labels).filter(label -> label >= 0).forEach(label -> counts[label]++);
        return counts;
    }

    /** What was noticed while reading, a sentence each. */
    List<String> remarks() {
        return remarks;
    }
}

package dev.kelvin.data.table;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A table that has been read: its rows as a model's inputs in the table's own units, with the labels beside them. It
 * takes eight bytes a cell.
 */
public final class NumberTable {
    private final Path path;
    private final Schema schema;
    private final RowStore cells;
    private final int[] places; // of the used columns among the cells
    private final int[] labels; // places among the schema's classes
    private final List<String> remarks;
    private final Encoder encoder;

    NumberTable(Path path, Schema schema, RowStore cells, int[] places, int[] labels, List<String> remarks) {
        this.path = path;
        this.schema = schema;
        this.cells = cells;
        this.places = places.clone();
        this.labels = labels.clone();
        this.remarks = List.copyOf(remarks);
        this.encoder = new Encoder(schema);
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
        return cells.rows();
    }

    /** How many inputs a row has. */
    public int width() {
        return encoder.width();
    }

    /** Puts a row's inputs, in the table's own units, into an array from a place on. */
    public void copy(int row, double[] into, int at) {
        encoder.encode(cells.block(row), cells.at(row), places, into, at);
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
        double[] found = new double[rows.length];
        for (int i = 0; i < rows.length; i++) {
            double cell = cells.get(rows[i], places[used]);
            found[i] = Double.isNaN(cell) ? fill : cell;
        }
        return found;
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

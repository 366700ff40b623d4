package dev.kelvin.data.table;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Rows that were read together: the good ones as a model's inputs in the table's own units, the bad ones by what is wrong. */
public final class RowBlock {
    private final int width;
    private final int count;
    private final double[] inputs;
    private final long[] rows;
    private final String[] labels;
    private final List<List<String>> cells;
    private final List<BadRow> bad;
    private final long bytesRead;

    RowBlock(
            int width,
            int count,
            double[] inputs,
            long[] rows,
            String[] labels,
            List<List<String>> cells,
            List<BadRow> bad,
            long bytesRead) {
        this.width = width;
        this.count = count;
        this.inputs = inputs;
        this.rows = rows;
        this.labels = labels;
        this.cells = List.copyOf(cells);
        this.bad = List.copyOf(bad);
        this.bytesRead = bytesRead;
    }

    /** The same block where these of the good rows are bad, for this reason. */
    public RowBlock without(BitSet refused, String problem) {
        int[] kept = IntStream.range(0, count).filter(i -> !refused.get(i)).toArray();
        double[] left = new double[kept.length * width];
        for (int i = 0; i < kept.length; i++) {
            System.arraycopy(inputs, kept[i] * width, left, i * width, width);
        }
        List<BadRow> all = new ArrayList<>(bad);
        refused.stream().forEach(i -> all.add(new BadRow(rows[i], 0, Optional.empty(), problem)));
        all.sort(Comparator.comparingLong(BadRow::row));
        return new RowBlock(
                width,
                kept.length,
                left,
                IntStream.of(kept).mapToLong(i -> rows[i]).toArray(),
                labels.length == 0
                        ? labels
                        : IntStream.of(kept).mapToObj(i -> labels[i]).toArray(String[]::new),
                cells.isEmpty()
                        ? cells
                        : IntStream.of(kept).mapToObj(cells::get).toList(),
                all,
                bytesRead);
    }

    /** How many good rows there are; 0 where all of them are bad. */
    public int count() {
        return count;
    }

    /** How many inputs a row has. */
    public int width() {
        return width;
    }

    /** The inputs, [count, width], in an array that may be longer and is the caller's now. */
    public double[] inputs() {
        return inputs;
    }

    /** The number of a good row in its file, from 1, the header not counted. */
    public long row(int index) {
        return rows[index];
    }

    /** A good row's label as the file has it; empty where it has none. */
    public String label(int index) {
        return labels.length == 0 ? "" : labels[index];
    }

    /** A good row's cells as the file has them; only of {@link TableRows#withGaps}. */
    public List<String> cells(int index) {
        return cells.get(index);
    }

    /** Those that cannot be scored. */
    public List<BadRow> bad() {
        return bad;
    }

    /** How many of the file's bytes had been read when this block was full. */
    public long bytesRead() {
        return bytesRead;
    }
}

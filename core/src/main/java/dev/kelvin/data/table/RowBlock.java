package dev.kelvin.data.table;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/**
 * Rows that were read together: the good ones as a model's inputs in the table's own units, the bad ones by what is wrong.
 *
 * @param width how many inputs a row has
 * @param count how many good rows there are; 0 where all of them are bad
 * @param inputs the inputs, [count, width], in an array that may be longer and is the caller's now
 * @param rows the good rows' numbers in their file, from 1, the header not counted
 * @param labels the good rows' labels as the file has them; empty where it has none
 * @param texts the good rows' cells as the file has them; only of {@link TableRows#withGaps}
 * @param bad the rows that cannot be scored
 * @param share of the file that had been read when this block was full, where that is known
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record RowBlock(
        int width,
        int count,
        double[] inputs,
        long[] rows,
        String[] labels,
        List<List<String>> texts,
        List<BadRow> bad,
        OptionalDouble share) {
    public RowBlock {
        texts = List.copyOf(texts);
        bad = List.copyOf(bad);
    }

    /** Returns a copy in which these of the good rows are bad, for this reason. */
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
                texts.isEmpty()
                        ? texts
                        : IntStream.of(kept).mapToObj(texts::get).toList(),
                all,
                share);
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
        return texts.get(index);
    }
}

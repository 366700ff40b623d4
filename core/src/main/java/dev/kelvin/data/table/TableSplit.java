package dev.kelvin.data.table;

import dev.kelvin.part.Check;
import dev.kelvin.tensor.Key;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * A table's rows in three parts, each ascending.
 *
 * @param train the rows to train on
 * @param heldOut the rows held out of them at random
 * @param apart the rows with another label than {@code trainOn}'s, or none
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record TableSplit(int[] train, int[] heldOut, int[] apart) {
    /**
     * Holds a share of the rows that may be learnt from out, the same with the same key. Where the share is above 0, one
     * row at least is held out and one at least is left.
     */
    public static TableSplit of(Key key, NumberTable table, double share) {
        Check.belowOne("heldOut", share);
        int[] learnt =
                IntStream.range(0, table.rows()).filter(table::learntFrom).toArray();
        int[] apart = IntStream.range(0, table.rows())
                .filter(row -> !table.learntFrom(row))
                .toArray();
        int count = share == 0 ? 0 : (int) Math.max(1, Math.min(learnt.length - 1L, Math.round(share * learnt.length)));
        long[] order = key.permutation(learnt.length);
        int[] heldOut = Arrays.stream(order, 0, count)
                .mapToInt(i -> learnt[(int) i])
                .sorted()
                .toArray();
        int[] train = Arrays.stream(order, count, order.length)
                .mapToInt(i -> learnt[(int) i])
                .sorted()
                .toArray();
        return new TableSplit(train, heldOut, apart);
    }
}

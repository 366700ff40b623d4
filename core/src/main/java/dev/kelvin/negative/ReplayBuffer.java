package dev.kelvin.negative;

import dev.kelvin.Check;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.State;
import dev.kelvin.tensor.Tensor;
import java.util.BitSet;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * Chains that go on from draw to draw. It is full from the start; a chain drawn from a slot is written back to that
 * slot. A chain that began anew has no slot: where it goes is the {@link Entry}'s choice.
 */
public final class ReplayBuffer implements AutoCloseable {
    /** Which slot a new chain takes. */
    public enum Entry {
        /** The slots in turn, so that none grows older than {@code size} new chains. */
        FIFO,
        /** Vitter's reservoir: the slots stay a uniform sample of all chains that ever began. */
        RESERVOIR
    }

    /** No slot: the chain begins anew. */
    static final int NONE = -1;

    private final Tensor slots;
    private final Entry entry;
    private final double reinitialise;
    private long entered; // chains that asked for a slot since the buffer was filled

    /** Fills the buffer with beginnings. */
    public ReplayBuffer(Key key, Start start, int size, Entry entry, double reinitialise) {
        Check.atLeast("size", size, 1);
        Check.within("reinitialise", reinitialise, 0, 1);
        try (Scope scope = Scope.open()) {
            slots = Scope.detach(start.draw(key, size));
        }
        this.entry = entry;
        this.reinitialise = reinitialise;
    }

    public int size() {
        return (int) slots.size(0);
    }

    /** All chains [size, ...]; not a copy. */
    public Tensor chains() {
        return slots;
    }

    /** Draws different slots; each is {@link #NONE} instead with the probability of reinitialisation. */
    int[] draw(RandomGenerator random, int count) {
        if (count > size()) {
            throw new IllegalArgumentException("a buffer of " + size() + " chains can't give " + count + " at once");
        }
        BitSet taken = new BitSet(size());
        int[] drawn = new int[count];
        for (int i = 0; i < count; i++) {
            // Floyd's sampling: uniform over subsets, one number a draw
            int last = size() - count + i;
            int slot = random.nextInt(last + 1);
            if (taken.get(slot)) {
                slot = last;
            }
            taken.set(slot);
            drawn[i] = random.nextDouble() < reinitialise ? NONE : slot;
        }
        return drawn;
    }

    /** Writes chains back: row i to slot drawn[i]; those without a slot enter, perhaps in the place of one drawn. */
    void write(RandomGenerator random, int[] drawn, Tensor chains) {
        Map<Integer, Integer> rowOfSlot = new LinkedHashMap<>();
        for (int row = 0; row < drawn.length; row++) {
            if (drawn[row] != NONE) {
                rowOfSlot.put(drawn[row], row);
            }
        }
        for (int row = 0; row < drawn.length; row++) {
            int slot = drawn[row] == NONE ? entrySlot(random) : NONE;
            if (slot != NONE) {
                rowOfSlot.put(slot, row);
            }
        }
        try (Scope scope = Scope.open()) {
            slots.putRowsInPlace(longs(rowOfSlot.keySet()), chains.rows(longs(rowOfSlot.values())));
        }
    }

    private static long[] longs(Collection<Integer> values) {
        return values.stream().mapToLong(Integer::longValue).toArray();
    }

    private int entrySlot(RandomGenerator random) {
        entered++;
        if (entry == Entry.FIFO) {
            return (int) ((entered - 1) % size());
        }
        long slot = random.nextLong(size() + entered);
        return slot < size() ? (int) slot : NONE;
    }

    void save(State state) {
        state.put("slots", slots);
        state.put("entered", entered);
    }

    void load(State state) {
        state.restore("slots", slots);
        entered = state.number("entered");
    }

    @Override
    public void close() {
        slots.close();
    }
}

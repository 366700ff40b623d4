package dev.kelvin.negative;

import dev.kelvin.Check;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.State;
import dev.kelvin.tensor.Tensor;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;

/**
 * Chains that go on from draw to draw. It is full from the start; a chain drawn from a slot is written back to that
 * slot (JEM), or, where every end enters, leaves it as it is and takes another (IGEBM). A chain that began anew has no slot.
 * Where chains without a slot of their own go is the {@link Entry}'s choice.
 *
 * <p>Where chains keep their class, slot i is for chains of class i mod classes, always, and all of the above holds within a
 * class. Where they don't, as on a marginal, any slot may go on for any class.
 */
public final class ReplayBuffer implements AutoCloseable {
    /** Which slot a chain without one of its own takes. */
    public enum Entry {
        /** The slots in turn, so that none grows older than {@code size} such chains. */
        FIFO,
        /** Vitter's reservoir: the slots stay a uniform sample of all chains that ever entered. */
        RESERVOIR
    }

    /** No slot: the chain begins anew. */
    static final int NONE = -1;

    private final Tensor slots;
    private final Entry entry;
    private final boolean everyEnd;
    private final double reinitialise;
    private final Change change;
    private final long[] entered; // of each class, chains that entered or asked to since the buffer was filled

    /** Fills the buffer with beginnings, of a model without classes. */
    public ReplayBuffer(Key key, Draws start, int size, Entry entry, double reinitialise) {
        this(key, start, size, entry, reinitialise, 1, Change.NONE);
    }

    /** Fills the buffer with beginnings, each class's in slots of its own. */
    public ReplayBuffer(Key key, Draws start, int size, Entry entry, double reinitialise, int classes, Change change) {
        this(key, start, size, entry, false, reinitialise, classes, classes, change);
    }

    /**
     * Fills the buffer with beginnings of all classes in turn.
     *
     * @param everyEnd whether every chain's end enters, not new chains' alone
     * @param kept the number of classes that slots are kept apart for: all of them, or 1 where chains belong to none
     */
    public ReplayBuffer(
            Key key,
            Draws start,
            int size,
            Entry entry,
            boolean everyEnd,
            double reinitialise,
            int classes,
            int kept,
            Change change) {
        Check.atLeast("classes", classes, 1);
        Check.atLeast("size", size, kept);
        Check.within("reinitialise", reinitialise, 0, 1);
        try (Scope scope = Scope.open()) {
            slots = Scope.detach(start.drawGiven(key, inTurn(size, classes)));
        }
        this.entry = entry;
        this.everyEnd = everyEnd;
        this.change = change;
        this.reinitialise = reinitialise;
        this.entered = new long[kept];
    }

    /** The columns of so many samples, each in turn. */
    public static long[] inTurn(int count, int columns) {
        long[] k = new long[count];
        Arrays.setAll(k, i -> i % columns);
        return k;
    }

    /** What becomes of a chain's position when it is drawn again, such as an augmentation of images; in place or not. */
    @FunctionalInterface
    public interface Change {
        Change NONE = (key, x) -> x;

        Tensor apply(Key key, Tensor x);
    }

    Tensor changed(Key key, Tensor x) {
        return change.apply(key, x);
    }

    public int size() {
        return (int) slots.size(0);
    }

    /** All chains [size, ...]; not a copy. */
    public Tensor chains() {
        return slots;
    }

    /**
     * The chains of different slots of these classes [n, ...], for whoever looks at the buffer: each class's slots in random
     * order, and fewer chains than labels where a class has no more. The next batches of the same labels and key go on in that
     * order, so that they share no slot while there are others.
     */
    public Tensor chains(Key key, int batch, long... labels) {
        int[] wanted = new int[entered.length];
        for (long label : labels) {
            wanted[kept(label)]++;
        }
        long[][] orders = new long[entered.length][];
        Arrays.setAll(orders, label -> key.child(label).permutation(slotsOf(label)));
        int[] given = new int[entered.length];
        LongStream.Builder rows = LongStream.builder();
        for (long each : labels) {
            int label = kept(each);
            long[] order = orders[label];
            int i = given[label]++;
            if (i < order.length) {
                long first = (long) batch * Math.min(order.length, wanted[label]);
                rows.add(slot(label, (int) order[(int) ((first + i) % order.length)]));
            }
        }
        return slots.rows(rows.build().toArray());
    }

    /** The class whose slots a chain of this class may take. */
    private int kept(long label) {
        return entered.length == 1 ? 0 : (int) label;
    }

    /** How many slots a class has. */
    private int slotsOf(int label) {
        int classes = entered.length;
        return (size() - label + classes - 1) / classes;
    }

    /** The i-th slot of a class. */
    private int slot(int label, int i) {
        return i * entered.length + label;
    }

    /**
     * Draws different slots of these classes; each is {@link #NONE} instead with the probability of reinitialisation, and
     * where its class has no more slots.
     */
    int[] draw(RandomGenerator random, long[] labels) {
        if (labels.length > size()) {
            throw new IllegalArgumentException(
                    "a buffer of " + size() + " chains can't give " + labels.length + " at once");
        }
        int[] wanted = new int[entered.length];
        for (long label : labels) {
            wanted[kept(label)]++;
        }
        BitSet taken = new BitSet(size());
        int[] given = new int[entered.length];
        int[] drawn = new int[labels.length];
        for (int row = 0; row < labels.length; row++) {
            int label = kept(labels[row]);
            int all = slotsOf(label);
            int i = given[label]++;
            if (i >= all) {
                drawn[row] = NONE;
                continue;
            }
            // Floyd's sampling: uniform over subsets, one number a draw
            int last = all - Math.min(all, wanted[label]) + i;
            int slot = slot(label, random.nextInt(last + 1));
            if (taken.get(slot)) {
                slot = slot(label, last);
            }
            taken.set(slot);
            drawn[row] = random.nextDouble() < reinitialise ? NONE : slot;
        }
        return drawn;
    }

    /** Writes chains back: row i to slot drawn[i]; those without a slot, or all, enter, perhaps in the place of one drawn. */
    void write(RandomGenerator random, int[] drawn, long[] labels, Tensor chains) {
        Map<Integer, Integer> rowOfSlot = new LinkedHashMap<>();
        for (int row = 0; row < drawn.length; row++) {
            if (!enters(drawn[row])) {
                rowOfSlot.put(drawn[row], row);
            }
        }
        for (int row = 0; row < drawn.length; row++) {
            int slot = enters(drawn[row]) ? entrySlot(random, kept(labels[row])) : NONE;
            if (slot != NONE) {
                rowOfSlot.put(slot, row);
            }
        }
        try (Scope scope = Scope.open()) {
            slots.putRowsInPlace(longs(rowOfSlot.keySet()), chains.rows(longs(rowOfSlot.values())));
        }
    }

    private boolean enters(int drawn) {
        return everyEnd || drawn == NONE;
    }

    private static long[] longs(Collection<Integer> values) {
        return values.stream().mapToLong(Integer::longValue).toArray();
    }

    private int entrySlot(RandomGenerator random, int label) {
        int all = slotsOf(label);
        long before = entered[label]++;
        if (entry == Entry.FIFO) {
            return slot(label, (int) (before % all));
        }
        long place = random.nextLong(all + before + 1);
        return place < all ? slot(label, (int) place) : NONE;
    }

    void save(State state) {
        state.put("slots", slots);
        for (int label = 0; label < entered.length; label++) {
            state.put(entered(label), entered[label]);
        }
    }

    void load(State state) {
        state.restore("slots", slots);
        for (int label = 0; label < entered.length; label++) {
            entered[label] = state.number(entered(label));
        }
    }

    private String entered(int label) {
        return entered.length == 1 ? "entered" : "entered." + label;
    }

    @Override
    public void close() {
        slots.close();
    }
}

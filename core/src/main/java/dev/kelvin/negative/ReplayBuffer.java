package dev.kelvin.negative;

import dev.kelvin.data.augment.Augmentation;
import dev.kelvin.data.image.PixelRange;
import dev.kelvin.part.Check;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Memory;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.State;
import dev.kelvin.tensor.Tensor;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Chains that go on from draw to draw. It is full from the start; a chain drawn from a slot is written back to that
 * slot (JEM), or, where every end enters, leaves it as it is and takes another (IGEBM). A chain that began anew has no slot.
 * Where chains without a slot of their own go is the {@link Entry}'s choice. Where ends are weighted, what goes back to the
 * drawn slots are ends of the batch drawn with replacement, the likelier the more often (Shah 2024). How often a chain
 * continues may be limited ({@link Visits}).
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

    /** The slots that were written to, and of which rows of the batch. */
    record Written(long[] slots, long[] rows) {}

    /** No slot: the chain begins anew. */
    static final int NONE = -1;

    private final Tensor slots; // as floats, or as bytes by the settings
    private final Buffer settings;
    private final Optional<ByteSlots> bytes;
    private final Optional<Augmentation> change;
    private final Optional<SlotLatents> latents; // of chains that start at a generator's images
    private final Optional<Visits> visits;
    private final long[] entered; // of each class, chains that entered or asked to since the buffer was filled

    /**
     * Fills the buffer with beginnings of all classes in turn.
     *
     * @param range of images, which bytes and augmentations are about
     * @param kept the number of classes that slots are kept apart for: all of them, or 1 where chains belong to none
     */
    public ReplayBuffer(
            Key key, SampleSource start, Buffer settings, Optional<PixelRange> range, int classes, int kept) {
        Check.atLeast("classes", classes, 1);
        Check.atLeast("size", settings.size(), kept);
        this.settings = settings;
        bytes = range.filter(pixels -> settings.bytes()).map(ByteSlots::new);
        change = settings.change(range);
        try (Scope scope = Scope.open()) {
            long[] k = inTurn(settings.size(), classes);
            slots = Scope.detach(
                    bytes.map(held -> held.filled(key, start, k)).orElseGet(() -> start.drawGiven(key, k)));
            latents = LearningStart.of(start).map(learning -> new SlotLatents(latents(learning, key, k)));
        }
        visits = settings.visits().isPresent()
                ? Optional.of(new Visits(settings.visits().getAsInt(), settings.size()))
                : Optional.empty();
        this.entered = new long[kept];
    }

    /** Those of what the buffer was filled with by this key. */
    private Tensor latents(LearningStart start, Key key, long... k) {
        return bytes.isPresent()
                ? ByteSlots.inChunks(key, k, (child, some) -> start.latents(child, some.length))
                : start.latents(key, k.length);
    }

    /** The latent vectors of the chains in its slots, where they have some. */
    Optional<SlotLatents> latents() {
        return latents;
    }

    /** The components of {@code count} samples, each in turn. */
    public static long[] inTurn(int count, int components) {
        long[] k = new long[Memory.array(Long.BYTES, count)];
        Arrays.setAll(k, i -> i % components);
        return k;
    }

    /** Positions of chains that are drawn again, augmented where the settings say so; in place or not. */
    Tensor changed(Key key, Tensor x) {
        return change.map(by -> by.apply(key, x)).orElse(x);
    }

    boolean weighted() {
        return settings.weighted();
    }

    /** Whether a chain drawn so begins anew: it has no slot, or the chain in its slot has continued as often as it may. */
    boolean fresh(int drawn) {
        return drawn == NONE || visits.filter(count -> count.over(drawn)).isPresent();
    }

    /** How many chains it holds. */
    public int size() {
        return (int) slots.size(0);
    }

    /** All chains [size, ...]; not a copy, unless they are held as bytes. */
    public Tensor chains() {
        return floats(slots);
    }

    /** The chains of these slots; a copy. */
    public Tensor chainsAt(long... rows) {
        return floats(slots.rows(rows));
    }

    /** The chains of {@code count} different slots of any class, or of all if there are fewer; a copy. */
    Tensor some(Key key, int count) {
        return chainsAt(Arrays.copyOf(key.permutation(size()), Math.min(count, size())));
    }

    private Tensor floats(Tensor held) {
        return bytes.map(by -> by.floats(held)).orElse(held);
    }

    /**
     * The chains of different slots of these classes [n, ...], for evaluation: each class's slots in random
     * order, and fewer chains than labels where a class has no more. The next batches of the same labels and key go on in that
     * order, so that they share no slot while there are others.
     */
    public Tensor chains(Key key, int batch, long... labels) {
        int[] wanted = wanted(labels);
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
        return chainsAt(rows.build().toArray());
    }

    /** The class whose slots a chain of this class may take. */
    private int kept(long label) {
        return entered.length == 1 ? 0 : (int) label;
    }

    private int[] wanted(long[] labels) {
        int[] wanted = new int[entered.length];
        Arrays.stream(labels).forEach(label -> wanted[kept(label)]++);
        return wanted;
    }

    private int slotsOf(int label) {
        int classes = entered.length;
        return (size() - label + classes - 1) / classes;
    }

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
        int[] wanted = wanted(labels);
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
            drawn[row] = random.nextDouble() < settings.reinitialise() ? NONE : slot;
        }
        return drawn;
    }

    /** Writes chains back: row i to slot drawn[i]; those without a slot, or all, enter, perhaps in the place of one drawn. */
    Written write(RandomGenerator random, int[] drawn, long[] labels, Tensor chains) {
        return write(
                random, drawn, labels, chains, IntStream.range(0, drawn.length).toArray());
    }

    /**
     * Writes chains back as without weights, except that what goes to slot drawn[i] is a row of the same class drawn with replacement with a probability
     * proportional to exp(logWeights), or the likeliest of its class where the settings say so.
     */
    Written write(RandomGenerator random, int[] drawn, long[] labels, Tensor chains, double[] logWeights) {
        int[] kept = Arrays.stream(labels).mapToInt(this::kept).toArray();
        return write(
                random,
                drawn,
                labels,
                chains,
                settings.likeliest() ? likeliest(kept, logWeights) : resampled(random, kept, logWeights));
    }

    /** For each row the one of its group with the largest weight, the first of several; itself where none is finite. */
    static int[] likeliest(int[] groups, double[] logWeights) {
        Map<Integer, Integer> best = new HashMap<>();
        for (int row = 0; row < groups.length; row++) {
            if (Double.isFinite(logWeights[row])) {
                best.merge(groups[row], row, (one, other) -> logWeights[other] > logWeights[one] ? other : one);
            }
        }
        return IntStream.range(0, groups.length)
                .map(row -> best.getOrDefault(groups[row], row))
                .toArray();
    }

    /**
     * For each row one of its group, drawn with replacement with a probability proportional to exp(log-weight); itself where no
     * weight of the group is finite, which a run that breaks must not hide.
     */
    static int[] resampled(RandomGenerator random, int[] groups, double[] logWeights) {
        Map<Integer, Double> largest = new HashMap<>();
        for (int row = 0; row < groups.length; row++) {
            if (Double.isFinite(logWeights[row])) {
                largest.merge(groups[row], logWeights[row], Math::max);
            }
        }
        Map<Integer, Double> sums = new HashMap<>();
        double[] upTo = new double[groups.length]; // the sum of the group's weights up to the row, itself among them
        for (int row = 0; row < groups.length; row++) {
            double best = largest.getOrDefault(groups[row], Double.NaN);
            double weight = Double.isFinite(logWeights[row]) ? Math.exp(logWeights[row] - best) : 0;
            upTo[row] = sums.merge(groups[row], weight, Double::sum);
        }
        int[] drawn = new int[groups.length];
        for (int row = 0; row < groups.length; row++) {
            double at = random.nextDouble() * sums.getOrDefault(groups[row], 0.0);
            drawn[row] = row;
            for (int other = 0; other < groups.length; other++) {
                if (groups[other] == groups[row] && at < upTo[other]) {
                    drawn[row] = other;
                    break;
                }
            }
        }
        return drawn;
    }

    /** Row ends[i] to slot drawn[i]. */
    private Written write(RandomGenerator random, int[] drawn, long[] labels, Tensor chains, int[] ends) {
        Map<Integer, Integer> rowOfSlot = new LinkedHashMap<>();
        for (int row = 0; row < drawn.length; row++) {
            if (!enters(drawn[row])) {
                rowOfSlot.put(drawn[row], ends[row]);
            }
        }
        for (int row = 0; row < drawn.length; row++) {
            int slot = enters(drawn[row]) ? entrySlot(random, kept(labels[row])) : NONE;
            if (slot != NONE) {
                rowOfSlot.put(slot, row);
            }
        }
        Written written = new Written(longs(rowOfSlot.keySet()), longs(rowOfSlot.values()));
        try (Scope scope = Scope.open()) {
            Tensor rows = chains.rows(written.rows);
            slots.putRowsInPlace(written.slots, bytes.map(by -> by.bytes(rows)).orElse(rows));
        }
        visits.ifPresent(counts -> {
            long[] ended = Arrays.stream(drawn).mapToLong(counts::atEnd).toArray();
            rowOfSlot.forEach((slot, row) -> counts.put(slot, ended[row]));
        });
        return written;
    }

    private boolean enters(int drawn) {
        return settings.insertAllEnds() || drawn == NONE;
    }

    private static long[] longs(Collection<Integer> values) {
        return values.stream().mapToLong(Integer::longValue).toArray();
    }

    private int entrySlot(RandomGenerator random, int label) {
        int all = slotsOf(label);
        long before = entered[label]++;
        if (settings.eviction() == Entry.FIFO) {
            return slot(label, (int) (before % all));
        }
        long place = random.nextLong(all + before + 1);
        return place < all ? slot(label, (int) place) : NONE;
    }

    void save(State state) {
        state.put("slots", slots);
        latents.ifPresent(held -> held.save(state));
        for (int label = 0; label < entered.length; label++) {
            state.put(entered(label), entered[label]);
        }
        visits.ifPresent(counts -> counts.save(state));
    }

    void load(State state) {
        state.restore("slots", slots);
        latents.ifPresent(held -> held.load(state));
        for (int label = 0; label < entered.length; label++) {
            entered[label] = state.number(entered(label));
        }
        visits.ifPresent(counts -> counts.load(state));
    }

    private String entered(int label) {
        return entered.length == 1 ? "entered" : "entered." + label;
    }

    @Override
    public void close() {
        slots.close();
        latents.ifPresent(SlotLatents::close);
        visits.ifPresent(Visits::close);
    }
}

package dev.kelvin.tensor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.function.LongFunction;
import java.util.function.LongUnaryOperator;
import java.util.random.RandomGenerator;
import org.apache.commons.statistics.distribution.ChiSquaredDistribution;
import org.apache.commons.statistics.distribution.ContinuousDistribution;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.apache.commons.statistics.inference.KolmogorovSmirnovTest;
import org.junit.jupiter.api.Test;

/**
 * Children of one key, keys of successive steps and keys of successive seeds are independent. Each battery's p-values are
 * compared with {@link #ALPHA} divided by their number (Bonferroni), so that a sound generator fails a battery with
 * probability at most 1e-5; every battery has power twins, broken derivations that it must reject.
 */
final class KeyStatTest {
    private static final double ALPHA = 1e-5; // of one battery

    private static final int SIDE = 250; // a grid of 250 x 250 streams
    private static final int LENGTH = 16; // numbers taken of each

    // ---- batteries

    /** Streams numbered by two integers, as root.child(step).child(need). */
    @FunctionalInterface
    private interface Streams {
        RandomGenerator at(long row, long column);
    }

    /** Normal numbers of a grid of streams: their distribution, and their correlation with their neighbours'. */
    private static double[] normalsOf(Streams streams) {
        double[][][] x = new double[SIDE][SIDE][LENGTH];
        double[] all = new double[SIDE * SIDE * LENGTH];
        double[] firsts = new double[SIDE * SIDE];
        for (int row = 0; row < SIDE; row++) {
            for (int column = 0; column < SIDE; column++) {
                RandomGenerator stream = streams.at(row, column);
                for (int k = 0; k < LENGTH; k++) {
                    x[row][column][k] = stream.nextGaussian();
                    all[(row * SIDE + column) * LENGTH + k] = x[row][column][k];
                }
                firsts[row * SIDE + column] = x[row][column][0];
            }
        }
        List<Double> p = new ArrayList<>();
        p.add(ksNormal(firsts));
        p.addAll(moments(firsts));
        p.addAll(moments(all));
        for (int[] shift : new int[][] {{0, 1, 0}, {1, 0, 0}, {1, 1, 0}, {1, -1, 0}, {0, 2, 0}, {2, 0, 0}}) {
            p.add(correlation(x, shift)); // the same place in neighbouring streams
        }
        for (int[] shift : new int[][] {{0, 0, 1}, {0, 0, 2}, {0, 1, 1}, {0, 1, -1}, {1, 0, 1}, {1, 0, -1}}) {
            p.add(correlation(x, shift)); // serial, and streams that run ahead of each other
        }
        return p.stream().mapToDouble(Double::doubleValue).toArray();
    }

    /** The bits of keys numbered by an integer: uniform bytes, birthdays, and the effect of each bit of the number. */
    private static double[] bitsOf(LongFunction<Key> keys) {
        int count = 1_000_000;
        long[] high = new long[count];
        long[] low = new long[count];
        for (int i = 0; i < count; i++) {
            high[i] = keys.apply(i).high();
            low[i] = keys.apply(i).low();
        }
        List<Double> p = new ArrayList<>();
        for (long[] half : List.of(high, low)) {
            for (int shift = 0; shift < 64; shift += 8) {
                p.add(uniformBytes(half, shift));
            }
            p.add(birthdays(half, v -> v >>> 32));
            p.add(birthdays(half, v -> v & 0xFFFFFFFFL));
            p.add(birthdays(half, v -> (v * 0x9E3779B97F4A7C15L) >>> 32));
        }
        p.addAll(avalanche(keys));
        return p.stream().mapToDouble(Double::doubleValue).toArray();
    }

    // ---- checks; each gives a p-value

    private static double twoSided(double z) {
        return 2 * NormalDistribution.of(0, 1).survivalProbability(Math.abs(z));
    }

    private static double twoSided(ContinuousDistribution distribution, double value) {
        return Math.min(
                1, 2 * Math.min(distribution.cumulativeProbability(value), distribution.survivalProbability(value)));
    }

    private static double ksNormal(double[] x) {
        return KolmogorovSmirnovTest.withDefaults()
                .test(x, NormalDistribution.of(0, 1)::cumulativeProbability)
                .getPValue();
    }

    /** The first four moments; for N(0, 1) they are 0, 1, 0, 3 with variances 1, 2, 15 and 96 a number. */
    private static List<Double> moments(double[] x) {
        double[] expected = {0, 1, 0, 3};
        double[] variance = {1, 2, 15, 96};
        List<Double> p = new ArrayList<>();
        for (int power = 1; power <= 4; power++) {
            double sum = 0;
            for (double value : x) {
                sum += Math.pow(value, power) - expected[power - 1];
            }
            p.add(twoSided(sum / Math.sqrt(variance[power - 1] * x.length)));
        }
        return p;
    }

    /** Products of numbers a fixed shift apart have mean 0 and variance 1, and are uncorrelated. */
    private static double correlation(double[][][] x, int[] shift) {
        double sum = 0;
        int count = 0;
        for (int row = 0; row < SIDE - 2; row++) {
            for (int column = 2; column < SIDE - 2; column++) {
                for (int k = 2; k < LENGTH - 2; k++) {
                    sum += x[row][column][k] * x[row + shift[0]][column + shift[1]][k + shift[2]];
                    count++;
                }
            }
        }
        return twoSided(sum / Math.sqrt(count));
    }

    private static double uniformBytes(long[] values, int shift) {
        long[] counts = new long[256];
        for (long value : values) {
            counts[(int) (value >>> shift) & 0xFF]++;
        }
        double expected = values.length / 256.0;
        double statistic = 0;
        for (long observed : counts) {
            statistic += (observed - expected) * (observed - expected) / expected;
        }
        return twoSided(ChiSquaredDistribution.of(255), statistic);
    }

    /** Equal 32-bit parts among n: nearly Poisson with mean n²/2³³ = 116, here as a normal number. */
    private static double birthdays(long[] values, LongUnaryOperator part) {
        long[] parts = Arrays.stream(values).map(part).sorted().toArray();
        long equal = 0;
        for (int i = 1; i < parts.length; i++) {
            equal += parts[i] == parts[i - 1] ? 1 : 0;
        }
        double mean = (double) values.length * values.length / Math.pow(2, 33);
        return twoSided((equal - mean) / Math.sqrt(mean));
    }

    /** Flipping one bit of the number flips each bit of the key with probability a half. */
    private static List<Double> avalanche(LongFunction<Key> keys) {
        int trials = 400;
        int[][] flips = new int[64][128];
        SplittableRandom numbers = new SplittableRandom(1); // a generator of another family
        for (int trial = 0; trial < trials; trial++) {
            long number = numbers.nextLong();
            Key key = keys.apply(number);
            for (int bit = 0; bit < 64; bit++) {
                Key other = keys.apply(number ^ (1L << bit));
                for (int i = 0; i < 64; i++) {
                    flips[bit][i] += (int) ((key.high() ^ other.high()) >>> i & 1);
                    flips[bit][64 + i] += (int) ((key.low() ^ other.low()) >>> i & 1);
                }
            }
        }
        double total = 0;
        double squares = 0;
        for (int[] row : flips) {
            for (int count : row) {
                total += count - trials / 2.0;
                squares += (count - trials / 2.0) * (count - trials / 2.0) / (trials / 4.0);
            }
        }
        int cells = 64 * 128;
        return List.of(
                twoSided(total / Math.sqrt(cells * trials / 4.0)), twoSided(ChiSquaredDistribution.of(cells), squares));
    }

    private static void assertSound(double[] p) {
        assertThat(Arrays.stream(p).min().orElseThrow()).isGreaterThan(ALPHA / p.length);
    }

    private static void assertRejected(double[] p) {
        assertThat(Arrays.stream(p).min().orElseThrow()).isLessThan(ALPHA / p.length);
    }

    // ---- Kelvin's keys

    @Test
    void childrenOfOneKeyAreIndependent() {
        Key root = Key.of(101);
        assertSound(normalsOf((row, column) -> root.child(row * SIDE + column).stream()));
    }

    @Test
    void keysOfSuccessiveStepsAreIndependent() {
        Key root = Key.of(102);
        assertSound(normalsOf((step, need) -> root.child(step).child(need).stream()));
    }

    @Test
    void successiveSeedsAreIndependent() {
        assertSound(normalsOf((row, column) -> Key.of(row * SIDE + column).stream()));
    }

    @Test
    void childrensStreamsAreIndependentOfTheirParents() {
        Key root = Key.of(103);
        assertSound(normalsOf((row, generation) -> {
            Key key = root.child(row);
            for (int i = 0; i < generation; i++) {
                key = key.child(0);
            }
            return key.stream();
        }));
    }

    @Test
    void childrensBitsAreUniformAndEachBitOfTheirNumberCounts() {
        assertSound(bitsOf(Key.of(104)::child));
    }

    @Test
    void seedsBitsAreUniformAndEachBitOfTheSeedCounts() {
        assertSound(bitsOf(Key::of));
    }

    @Test
    void grandchildrensBitsAreUniform() {
        Key root = Key.of(105);
        assertSound(bitsOf(number -> root.child(number).child(number)));
    }

    @Test
    void aMillionKeysAreAllDifferent() {
        // P(two equal 64-bit halves among 1e6) = 1e12 / 2^65 = 2.7e-8
        Key root = Key.of(106);
        long[] high = new long[1_000_000];
        long[] low = new long[high.length];
        for (int i = 0; i < high.length; i++) {
            high[i] = root.child(i / 1000).child(i % 1000).high();
            low[i] = root.child(i / 1000).child(i % 1000).low();
        }
        for (long[] half : List.of(high, low)) {
            Arrays.sort(half);
            for (int i = 1; i < half.length; i++) {
                if (half[i] == half[i - 1]) {
                    throw new AssertionError("two of a million keys share the half " + half[i]);
                }
            }
        }
    }

    @Test
    void tensorsOfNormalNumbersAreNormal() {
        try (Scope scope = Scope.open()) {
            double[] x = Tensors.normal(Key.of(107), DType.DOUBLE, Device.CPU, 100_000)
                    .toDoubles();
            List<Double> p = new ArrayList<>(moments(x));
            p.add(ksNormal(x));
            assertSound(p.stream().mapToDouble(Double::doubleValue).toArray());
        }
    }

    // ---- power twins

    @Test
    void seedsCountedUpForTheJdksRandomAreRejected() {
        assertRejected(normalsOf((row, column) -> new Random(row * SIDE + column)));
    }

    @Test
    void streamsThatRunAheadOfEachOtherAreRejected() {
        assertRejected(normalsOf((row, column) -> {
            RandomGenerator stream = Key.of(1).child(row).stream();
            for (int i = 0; i < column; i++) {
                stream.nextGaussian();
            }
            return stream;
        }));
    }

    @Test
    void stepsAndNeedsThatAreAddedAreRejected() {
        assertRejected(normalsOf((step, need) -> Key.of(1).child(step + need).stream()));
    }

    @Test
    void normalNumbersThatAreOnePerCentTooWideAreRejected() {
        assertRejected(normalsOf((row, column) -> new RandomGenerator() {
            private final RandomGenerator stream = Key.of(1).child(row).child(column).stream();

            @Override
            public long nextLong() {
                return stream.nextLong();
            }

            @Override
            public double nextGaussian() {
                return 1.01 * stream.nextGaussian();
            }
        }));
    }

    @Test
    void keysThatCountUpAreRejected() {
        Key root = Key.of(1);
        assertRejected(bitsOf(number -> new Key(root.high() + number, root.low())));
    }

    @Test
    void keysOfAMultiplicationAloneAreRejected() {
        Key root = Key.of(1);
        assertRejected(bitsOf(number ->
                new Key((root.high() + number) * 0x9E3779B97F4A7C15L, (root.low() ^ number) * 0xD1342543DE82EF95L)));
    }

    @Test
    void keysWithThirtyTwoBitsOfTheirNumberAreRejected() {
        Key root = Key.of(1);
        assertRejected(bitsOf(number -> root.child(number & 0xFFFFFFFFL)));
    }
}

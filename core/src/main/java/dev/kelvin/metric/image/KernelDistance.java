package dev.kelvin.metric.image;

import dev.kelvin.metric.Batches;
import dev.kelvin.metric.Subset;
import dev.kelvin.metric.figure.Figure;
import dev.kelvin.part.Check;
import dev.kelvin.part.InvalidInputException;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.NoGrad;
import dev.kelvin.tensor.Parallel;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.Arrays;

/**
 * How far two sets are apart in a network's features, without assuming that those are Gaussian: the unbiased squared
 * maximum mean discrepancy, called KID with the features of the Inception network and k(x, y) = (x·y/d + 1)³,
 *
 * <pre>KID = mean_{i≠j} k(xᵢ, xⱼ) + mean_{i≠j} k(yᵢ, yⱼ) − 2 mean_{i,j} k(xᵢ, yⱼ),</pre>
 *
 * as the mean over random subsets of both. Choose it over {@link FrechetDistance} for few samples: its expectation does
 * not depend on their number. It is negative half of the time where the two distributions are equal.
 *
 * <p>It cannot be streamed: both sets must lie in memory, whole and in their own type. Subsets, two of each
 * set at a time, or blocks of 2048 vectors are copied to double, with the kernel matrix of each pair; where the sets have no
 * more vectors than that, one matrix serves all subsets.
 *
 * <p>Source: Bińkowski et al. 2018, section 4.
 *
 * @param mean KID; NaN if a feature is not finite
 * @param spread the subsets' standard deviation about it, the sum of squares being divided by their number, as published
 *     figures are; NaN for one subset
 */
public record KernelDistance(double mean, double spread) {
    public static final Figure KID_SPREAD = Figure.of("kid_spread", "Spread of KID")
            .meaning("The standard deviation of KID over the random subsets.")
            .citing("binkowski2018");

    public static final Figure KID = Figure.of("kid", "KID")
            .meaning(
                    "Squared kernel distance between the features of samples and of the training images, unbiased; it scatters around 0 where the two distributions are equal.")
            .lower()
            .withError(KID_SPREAD)
            .citing("binkowski2018");

    public static final Figure KID_BUFFER = Figure.of("kid_buffer", "KID of the replay buffer")
            .meaning("KID of the replay buffer's persistent chains.")
            .lower()
            .citing("binkowski2018");

    public static final Figure KID_GAUSSIAN = Figure.of("kid_gaussian", "KID of a fitted Gaussian")
            .meaning(
                    "KID of samples of a Gaussian with the pixels' mean and covariance: a baseline that a model must beat.")
            .citing("binkowski2018");

    public static final Figure KID_TEST = Figure.of("kid_test", "KID of held-out images")
            .meaning("KID of real images that were not trained on: what perfect samples have.")
            .citing("binkowski2018");

    public static final Figure KID_INFINITY = Figure.of("kid_infinity", "KID∞")
            .meaning("KID extrapolated to infinitely many samples.")
            .lower()
            .citing("binkowski2018", "chong2020");

    /** As in the paper. */
    public static final int SUBSETS = 100;

    public static final int SIZE = 1000;

    /** By subsets of this size of the vectors [n, d] and [m, d]. */
    public static KernelDistance of(Key key, Tensor x, Tensor y, int subsets, int size) {
        Check.atLeast("subsets", subsets, 1);
        Check.atLeast("size", size, 2);
        Batches.checkFeatures("a kernel distance", x, 2);
        Batches.checkFeatures("a kernel distance", y, 2);
        if (x.size(1) != y.size(1)) {
            throw new InvalidInputException("only features of one network compare; found vectors of " + x.size(1)
                    + " and of " + y.size(1) + " dimensions");
        }
        if (size > Math.min(x.size(0), y.size(0))) {
            throw new InvalidInputException("subsets of " + size + " vectors cannot be drawn from sets of " + x.size(0)
                    + " and " + y.size(0) + "; take smaller subsets or more samples");
        }
        int[] sizes = new int[subsets];
        Arrays.fill(sizes, size);
        if (!x.allFinite() || !y.allFinite()) {
            return new KernelDistance(Double.NaN, Double.NaN);
        }
        double[] values = ofSubsets(key, x, y, sizes);
        double mean = Arrays.stream(values).sum() / subsets;
        double squares = Arrays.stream(values)
                .map(value -> (value - mean) * (value - mean))
                .sum();
        return new KernelDistance(mean, subsets > 1 ? Math.sqrt(squares / subsets) : Double.NaN);
    }

    /** The figures of subsets of these sizes, the i-th drawn by the i-th child of the key. */
    static double[] ofSubsets(Key key, Tensor x, Tensor y, int... sizes) {
        long[][] left = new long[sizes.length][];
        long[][] right = new long[sizes.length][];
        for (int i = 0; i < sizes.length; i++) {
            Key[] keys = key.child(i).split(2);
            left[i] = Subset.draw(keys[0], x.size(0), sizes[i]);
            right[i] = Subset.draw(keys[1], y.size(0), sizes[i]);
        }
        double[] values = new double[sizes.length];
        if (Math.max(x.size(0), y.size(0)) <= Batches.SIZE) {
            try (NoGrad noGrad = NoGrad.open();
                    Scope scope = Scope.open()) {
                Tensor u = chosen(left, x.size(0));
                Tensor v = chosen(right, y.size(0));
                double[] xx = sums(x, u, x, u);
                double[] yy = sums(y, v, y, v);
                double[] xy = sums(x, u, y, v);
                Arrays.setAll(values, i -> squared(xx[i], yy[i], xy[i], sizes[i], sizes[i]));
            }
        } else {
            Parallel.halves(half -> {
                for (int i = half; i < sizes.length; i += 2) {
                    try (NoGrad noGrad = NoGrad.open();
                            Scope scope = Scope.open()) {
                        values[i] = squared(x.rows(left[i]), y.rows(right[i]));
                    }
                }
                return half;
            });
        }
        return values;
    }

    /** 1 where a row [n] is in a subset, else 0: [n, subsets]. */
    private static Tensor chosen(long[][] subsets, long n) {
        double[] ones = new double[Math.toIntExact(n * subsets.length)];
        for (int i = 0; i < subsets.length; i++) {
            for (long row : subsets[i]) {
                ones[(int) row * subsets.length + i] = 1;
            }
        }
        return Tensors.of(ones, n, subsets.length);
    }

    /** For small sets and all subsets at once, each kernel value made once: Σ uᵢ k(xᵢ, yⱼ) vⱼ; of a set with itself i ≠ j. */
    private static double[] sums(Tensor x, Tensor u, Tensor y, Tensor v) {
        try (Scope scope = Scope.open()) {
            Tensor matrix = kernel(block(x, 0), block(y, 0));
            double[] sums = u.times(matrix.matmul(v)).sum(0L).toDoubles();
            if (x == y) {
                double[] own = matrix.diagonal().unsqueeze(0).matmul(u).toDoubles();
                Arrays.setAll(sums, i -> sums[i] - own[i]);
            }
            return sums;
        }
    }

    /** k of each row of x with each of y, (x·y/d + 1)³: [n, d], [m, d] → [n, m]. */
    private static Tensor kernel(Tensor x, Tensor y) {
        Tensor base = x.matmul(y.transpose()).timesInPlace(1.0 / x.size(1)).addNumberInPlace(1);
        return base.square().timesInPlace(base);
    }

    static double squared(Tensor x, Tensor y) {
        double n = x.size(0);
        double m = y.size(0);
        return squared(sum(x, x), sum(y, y), sum(x, y), n, m);
    }

    private static double squared(double xx, double yy, double xy, double n, double m) {
        return xx / (n * (n - 1)) + yy / (m * (m - 1)) - 2 * xy / (n * m);
    }

    /** Σ k(xᵢ, yⱼ), of a set with itself over i ≠ j; there the blocks below the diagonal are those above it again. */
    private static double sum(Tensor x, Tensor y) {
        boolean same = x == y;
        double sum = 0;
        for (long i = 0; i < x.size(0); i += Batches.SIZE) {
            for (long j = same ? i : 0; j < y.size(0); j += Batches.SIZE) {
                try (NoGrad noGrad = NoGrad.open();
                        Scope scope = Scope.open()) {
                    Tensor matrix = kernel(block(x, i), block(y, j));
                    double block = matrix.sum().item();
                    if (!same) {
                        sum += block;
                    } else {
                        sum += j > i
                                ? 2 * block
                                : block - matrix.diagonal().sum().item();
                    }
                }
            }
        }
        return sum;
    }

    private static Tensor block(Tensor x, long start) {
        return x.narrow(0, start, Math.min(Batches.SIZE, x.size(0) - start))
                .to(Device.CPU)
                .to(DType.DOUBLE);
    }
}

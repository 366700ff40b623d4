package dev.kelvin.metric;

import dev.kelvin.Check;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Halves;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.NoGrad;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;

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
 * set at a time, or blocks of 2048 vectors are copied to double, with the kernel matrix of each pair.
 *
 * <p>Source: Bińkowski et al., Demystifying MMD GANs, ICLR 2018, section 4.
 *
 * @param mean KID; NaN if a feature is not finite
 * @param spread the subsets' standard deviation about it, the sum of squares being divided by their number, as published
 *     figures are; NaN for one subset
 * @param subsets how many
 * @param size vectors of each set in a subset; of the smaller set, if the sets were taken whole
 * @param samples vectors in the first set
 * @param reference vectors in the second
 * @param notFinite vectors, of both sets, with a NaN or an infinity
 */
public record KernelDistance(
        double mean, double spread, int subsets, int size, long samples, long reference, int notFinite) {
    /** As in the paper. */
    public static final int SUBSETS = 100;

    public static final int SIZE = 1000;

    /** KID by 100 subsets of 1000. */
    public static KernelDistance of(Key key, Tensor x, Tensor y) {
        return of(key, x, y, new FeatureKernel.Cubic(), SUBSETS, SIZE);
    }

    /** By subsets of this size of the vectors [n, d] and [m, d]. */
    public static KernelDistance of(Key key, Tensor x, Tensor y, FeatureKernel kernel, int subsets, int size) {
        Check.atLeast("subsets", subsets, 1);
        Check.atLeast("size", size, 2);
        check(x, y);
        if (size > Math.min(x.size(0), y.size(0))) {
            throw new IllegalArgumentException("subsets of " + size + " vectors cannot be drawn from sets of "
                    + x.size(0) + " and " + y.size(0) + "; take smaller subsets or more samples");
        }
        double[] values = new double[subsets];
        int notFinite = Batches.notFiniteRows(x) + Batches.notFiniteRows(y);
        if (notFinite == 0) {
            Halves.run(half -> {
                for (int i = half; i < subsets; i += 2) {
                    values[i] = ofSubset(key.child(i), x, y, kernel, size);
                }
                return half;
            });
        }
        return of(values, size, x, y, notFinite);
    }

    private static double ofSubset(Key key, Tensor x, Tensor y, FeatureKernel kernel, int size) {
        Key[] keys = key.split(2);
        try (NoGrad noGrad = NoGrad.open();
                Scope scope = Scope.open()) {
            Tensor left = x.rows(Subset.draw(keys[0], x.size(0), size));
            Tensor right = y.rows(Subset.draw(keys[1], y.size(0), size));
            return squared(left, right, kernel);
        }
    }

    /** With the sets whole, each of two vectors or more: n² kernel values. */
    public static KernelDistance whole(Tensor x, Tensor y, FeatureKernel kernel) {
        check(x, y);
        int notFinite = Batches.notFiniteRows(x) + Batches.notFiniteRows(y);
        double[] value = {notFinite > 0 ? Double.NaN : squared(x, y, kernel)};
        return of(value, Math.toIntExact(Math.min(x.size(0), y.size(0))), x, y, notFinite);
    }

    private static KernelDistance of(double[] values, int size, Tensor x, Tensor y, int notFinite) {
        Spread spread = notFinite > 0 ? Spread.UNKNOWN : Spread.of(values);
        return new KernelDistance(
                spread.mean(), spread.deviation(), values.length, size, x.size(0), y.size(0), notFinite);
    }

    private static void check(Tensor x, Tensor y) {
        Batches.checkFeatures("a kernel distance", x, 2);
        Batches.checkFeatures("a kernel distance", y, 2);
        if (x.size(1) != y.size(1)) {
            throw new IllegalArgumentException("only features of one network compare; found vectors of " + x.size(1)
                    + " and of " + y.size(1) + " dimensions");
        }
    }

    private static double squared(Tensor x, Tensor y, FeatureKernel kernel) {
        double n = x.size(0);
        double m = y.size(0);
        return sum(x, x, kernel) / (n * (n - 1)) + sum(y, y, kernel) / (m * (m - 1)) - 2 * sum(x, y, kernel) / (n * m);
    }

    /** Σ k(xᵢ, yⱼ), of a set with itself over i ≠ j; there the blocks below the diagonal are those above it again. */
    private static double sum(Tensor x, Tensor y, FeatureKernel kernel) {
        boolean same = x == y;
        double sum = 0;
        for (long i = 0; i < x.size(0); i += Batches.SIZE) {
            for (long j = same ? i : 0; j < y.size(0); j += Batches.SIZE) {
                try (NoGrad noGrad = NoGrad.open();
                        Scope scope = Scope.open()) {
                    Tensor matrix = kernel.matrix(block(x, i), block(y, j));
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

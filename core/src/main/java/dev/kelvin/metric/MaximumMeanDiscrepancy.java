package dev.kelvin.metric;

import dev.kelvin.metric.figure.Figure;
import dev.kelvin.metric.figure.FigureOfMerit;
import dev.kelvin.metric.figure.Judged;
import dev.kelvin.part.Check;
import dev.kelvin.part.Named;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.NoGrad;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * How far two sets of samples are apart in the features of a Gaussian kernel, k(x, y) = exp(−‖x − y‖²/2h²):
 *
 * <pre>MMD² = mean_{i≠j} k(xᵢ, xⱼ) + mean_{i≠j} k(yᵢ, yⱼ) − 2 mean_{i,j} k(xᵢ, yⱼ),</pre>
 *
 * unbiased, so that it is negative half of the time where the two distributions are equal. Source: Gretton et al. 2012,
 * eq. 3. Sums run in double over blocks of the kernel's matrix, which never lies in
 * memory whole.
 *
 * @param squared MMD²; NaN if a sample is not finite
 * @param bandwidth h
 * @param notFinite samples, of both sets, with a NaN or an infinity
 */
public record MaximumMeanDiscrepancy(double squared, double bandwidth, int notFinite) {
    public static final Figure MMD2 = Figure.of("mmd2", "MMD² of samples")
            .meaning(
                    "Squared maximum mean discrepancy between samples and held-out data, under a Gaussian kernel with the median distance as its bandwidth; it scatters around 0 where the two distributions are equal.")
            .lower()
            .citing("gretton2012");

    /** MMD² between a model's samples and held-out data, by at most 1000 of each. */
    @Named("mmd2")
    public record OfSamples() implements FigureOfMerit {
        private static final int MOST = 1000;

        @Override
        public List<Figure> figures() {
            return List.of(MMD2);
        }

        @Override
        public Map<String, Double> of(Key key, Judged judged) {
            Key[] keys = key.split(2);
            try (Scope scope = Scope.open()) {
                Tensor samples = Subset.of(keys[0], judged.samples(), MOST).to(Device.CPU);
                Tensor data = Subset.of(keys[1], judged.heldOut(), MOST).to(Device.CPU);
                return Map.of(
                        MMD2.name(), MaximumMeanDiscrepancy.of(samples, data).squared());
            }
        }
    }

    /** Rows of a block: 2048² doubles are 32 MiB. */
    private static final int BLOCK = 2048;

    /** Samples of each set whose distances give the median. */
    private static final int MEDIAN_SAMPLES = 500;

    /**
     * h = the median distance between samples of both sets together, by at most 500 of each, evenly spread over the
     * set. It depends on the samples: compare figures only at a given bandwidth.
     */
    public static MaximumMeanDiscrepancy of(Tensor x, Tensor y) {
        int notFinite = notFinite(x, y);
        return notFinite > 0 ? failed(Double.NaN, notFinite) : of(x, y, medianDistance(x, y));
    }

    /** With this h; the sets are [n, ...] and [m, ...], each of two samples or more. */
    public static MaximumMeanDiscrepancy of(Tensor x, Tensor y, double bandwidth) {
        Check.positive("bandwidth", bandwidth);
        int notFinite = notFinite(x, y);
        if (notFinite > 0) {
            return failed(bandwidth, notFinite);
        }
        double n = x.size(0);
        double m = y.size(0);
        double within = (sum(x, x, bandwidth) - n) / (n * (n - 1)) + (sum(y, y, bandwidth) - m) / (m * (m - 1));
        return new MaximumMeanDiscrepancy(within - 2 * sum(x, y, bandwidth) / (n * m), bandwidth, 0);
    }

    private static MaximumMeanDiscrepancy failed(double bandwidth, int notFinite) {
        return new MaximumMeanDiscrepancy(Double.NaN, bandwidth, notFinite);
    }

    private static int notFinite(Tensor x, Tensor y) {
        if (x.size(0) < 2 || y.size(0) < 2 || x.count() / x.size(0) != y.count() / y.size(0)) {
            throw new IllegalArgumentException(
                    "MMD takes two sets of two or more samples of one size; found " + x + " and " + y);
        }
        return notFinite(x) + notFinite(y);
    }

    private static int notFinite(Tensor x) {
        return Batches.notFiniteRows(x.toDoubles(), (int) (x.count() / x.size(0)));
    }

    /** Σᵢⱼ k(xᵢ, yⱼ); of a set with itself the blocks below the diagonal are those above it again. */
    private static double sum(Tensor x, Tensor y, double bandwidth) {
        boolean same = x == y;
        double sum = 0;
        for (long i = 0; i < x.size(0); i += BLOCK) {
            for (long j = same ? i : 0; j < y.size(0); j += BLOCK) {
                double block = blockSum(x, i, y, j, bandwidth);
                sum += same && j > i ? 2 * block : block;
            }
        }
        return sum;
    }

    private static double blockSum(Tensor x, long i, Tensor y, long j, double bandwidth) {
        try (NoGrad noGrad = NoGrad.open();
                Scope scope = Scope.open()) {
            Tensor squares = block(x, i).distances(block(y, j)).square();
            return squares.timesInPlace(-0.5 / (bandwidth * bandwidth))
                    .exp()
                    .sum()
                    .item();
        }
    }

    private static Tensor block(Tensor x, long start) {
        Tensor rows = x.narrow(0, start, Math.min(BLOCK, x.size(0) - start));
        return rows.flattenSamples().to(DType.DOUBLE);
    }

    private static double medianDistance(Tensor x, Tensor y) {
        try (NoGrad noGrad = NoGrad.open();
                Scope scope = Scope.open()) {
            Tensor pooled = Tensors.concat(0, spread(x), spread(y));
            int n = (int) pooled.size(0);
            double[] all = pooled.distances(pooled).toDoubles();
            double[] distances = new double[n * (n - 1) / 2];
            int next = 0;
            for (int i = 0; i < n; i++) {
                for (int j = 0; j < i; j++) {
                    distances[next++] = all[i * n + j];
                }
            }
            Arrays.sort(distances);
            double median = distances[distances.length / 2];
            if (!(median > 0)) {
                throw new IllegalArgumentException(
                        "the median distance between the samples is 0: most are equal. Give a bandwidth");
            }
            return median;
        }
    }

    /** At most 500 rows, evenly spread. */
    private static Tensor spread(Tensor x) {
        long n = x.size(0);
        int count = (int) Math.min(n, MEDIAN_SAMPLES);
        long[] indices = new long[count];
        for (int i = 0; i < count; i++) {
            indices[i] = n * i / count;
        }
        return x.rows(indices).flattenSamples().to(DType.DOUBLE);
    }
}

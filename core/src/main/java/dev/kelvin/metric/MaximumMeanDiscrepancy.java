package dev.kelvin.metric;

import dev.kelvin.metric.figure.Figure;
import dev.kelvin.metric.figure.FigureOfMerit;
import dev.kelvin.metric.figure.Judged;
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
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * How far two sets of samples are apart in the features of a Gaussian kernel, k(x, y) = exp(−‖x − y‖²/2h²):
 *
 * <pre>MMD² = mean_{i≠j} k(xᵢ, xⱼ) + mean_{i≠j} k(yᵢ, yⱼ) − 2 mean_{i,j} k(xᵢ, yⱼ),</pre>
 *
 * unbiased, so that it is negative half of the time where the two distributions are equal. Source: Gretton et al. 2012,
 * eq. 3. Sums are in double.
 *
 * <p>h = the median distance between samples of both sets together, by at most 500 of each, evenly spread over the set.
 */
@Named("mmd2")
public final class MaximumMeanDiscrepancy implements FigureOfMerit {
    public static final Figure MMD2 = Figure.of("mmd2", "MMD² of samples")
            .meaning(
                    "Squared maximum mean discrepancy between samples and held-out data, under a Gaussian kernel with the median distance as its bandwidth; it scatters around 0 where the two distributions are equal.")
            .lower()
            .citing("gretton2012");

    /** Samples of each set that are compared, at most. */
    private static final int MOST = 1000;

    /** Samples of each set whose distances give the median. */
    private static final int MEDIAN_SAMPLES = 500;

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
            return Map.of(MMD2.name(), squared(samples, data));
        }
    }

    /** MMD² of two sets [n, ...] and [m, ...], each of two samples or more; NaN if a sample is not finite. */
    public static double squared(Tensor x, Tensor y) {
        if (x.size(0) < 2 || y.size(0) < 2 || x.count() / x.size(0) != y.count() / y.size(0)) {
            throw new IllegalArgumentException(
                    "MMD takes two sets of two or more samples of one size; found " + x + " and " + y);
        }
        if (!x.allFinite() || !y.allFinite()) {
            return Double.NaN;
        }
        return squared(x, y, medianDistance(x, y));
    }

    static double squared(Tensor x, Tensor y, double bandwidth) {
        double n = x.size(0);
        double m = y.size(0);
        double within = (sum(x, x, bandwidth) - n) / (n * (n - 1)) + (sum(y, y, bandwidth) - m) / (m * (m - 1));
        return within - 2 * sum(x, y, bandwidth) / (n * m);
    }

    /** Σᵢⱼ k(xᵢ, yⱼ). */
    private static double sum(Tensor x, Tensor y, double bandwidth) {
        try (NoGrad noGrad = NoGrad.open();
                Scope scope = Scope.open()) {
            Tensor squares = rows(x).distances(rows(y)).square();
            return squares.timesInPlace(-0.5 / (bandwidth * bandwidth))
                    .exp()
                    .sum()
                    .item();
        }
    }

    private static Tensor rows(Tensor x) {
        return x.flattenSamples().to(DType.DOUBLE);
    }

    static double medianDistance(Tensor x, Tensor y) {
        try (NoGrad noGrad = NoGrad.open();
                Scope scope = Scope.open()) {
            Tensor pooled = Tensors.concat(0, spread(x), spread(y));
            int n = (int) pooled.size(0);
            double[] all = pooled.distances(pooled).toDoubles();
            double[] distances = IntStream.range(0, n)
                    .mapToObj(i -> Arrays.stream(all, i * n, i * n + i))
                    .flatMapToDouble(row -> row)
                    .sorted()
                    .toArray();
            double median = distances[distances.length / 2];
            if (!(median > 0)) {
                throw new IllegalArgumentException("the median distance between the samples is 0: most are equal");
            }
            return median;
        }
    }

    /** At most 500 rows, evenly spread. */
    private static Tensor spread(Tensor x) {
        long n = x.size(0);
        int count = (int) Math.min(n, MEDIAN_SAMPLES);
        return rows(x.rows(LongStream.range(0, count).map(i -> n * i / count).toArray()));
    }
}

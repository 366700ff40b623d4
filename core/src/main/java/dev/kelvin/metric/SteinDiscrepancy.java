package dev.kelvin.metric;

import dev.kelvin.energy.LogDensity;
import dev.kelvin.metric.figure.Figure;
import dev.kelvin.metric.figure.FigureOfMerit;
import dev.kelvin.metric.figure.Judged;
import dev.kelvin.part.Check;
import dev.kelvin.part.Named;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.util.List;
import java.util.Map;

/**
 * How far samples are from a density whose gradient is known, its normaliser and exact draws not: the kernel Stein
 * discrepancy. With s = ∇f, u = x − y, q = c² + ‖u‖² and the inverse multiquadric kernel k = q^{−1/2},
 *
 * <pre>
 * k₀(x, y) = s(x)·s(y) k + s(x)·∇_y k + s(y)·∇_x k + tr ∇_x∇_yᵀ k
 *          = s(x)·s(y) q^{−1/2} + ((s(x) − s(y))·u + d) q^{−3/2} − 3 ‖u‖² q^{−5/2}
 * KSD² = mean of k₀ over all pairs,
 * </pre>
 *
 * a sample with itself among them. For exact draws k₀ has mean 0 over different samples, so KSD² falls as 1/n; for
 * others it stays, provided that the density's tails fall like a Gaussian's. Like every figure made of gradients alone it
 * hardly sees wrong weights of modes that lie far apart.
 *
 * <p>Sources: Liu, Lee and Jordan 2016, theorem 3.6;
 * Gorham and Mackey 2017, theorem 8 for why this kernel. The sum
 * takes n²d operations in double.
 *
 * @param squared KSD², the V-statistic: never negative; NaN if a sample or its gradient is not finite
 * @param unbiased the U-statistic, without the pairs of a sample with itself: negative half of the time for exact draws
 * @param notFinite samples that are not finite or have such a gradient
 */
public record SteinDiscrepancy(double squared, double unbiased, int samples, int notFinite) {
    public static final Figure STEIN = Figure.of("stein", "Stein discrepancy of samples")
            .meaning("Kernel Stein discrepancy between the samples and the model, computed from ∇f alone:"
                    + " small where the chains have converged; it is insensitive to wrong weights of distant modes.")
            .lower()
            .citing("liu2016ksd", "gorham2017");

    /** The discrepancy of a model's samples from its own density, by at most 1000. */
    @Named("stein")
    public record OfSamples() implements FigureOfMerit {
        private static final int MOST = 1000;

        @Override
        public List<Figure> figures() {
            return List.of(STEIN);
        }

        @Override
        public Map<String, Double> of(Key key, Judged judged) {
            try (Scope scope = Scope.open()) {
                Tensor samples = Subset.of(key, judged.samples(), MOST);
                return Map.of(
                        STEIN.name(),
                        SteinDiscrepancy.of(judged.density(), samples).value());
            }
        }
    }

    /** Numbers in a batch: as many images at once as their network's layers leave memory for. */
    private static final int NUMBERS = 64 * Batches.SIZE;

    /** c: the distance at which the kernel begins to fall. */
    public static final double SCALE = 1;

    /** KSD. */
    public double value() {
        return Math.sqrt(squared);
    }

    /** With c = 1. */
    public static SteinDiscrepancy of(LogDensity f, Tensor samples) {
        return of(f, samples, SCALE);
    }

    /** The samples, [n, ...], in the type and place that f takes. */
    public static SteinDiscrepancy of(LogDensity f, Tensor samples, double scale) {
        return of(samples.toDoubles(), gradients(f, samples), count(samples), scale);
    }

    /** Of samples whose gradients ∇f are there already, in the samples' shape. */
    public static SteinDiscrepancy of(Tensor samples, Tensor gradients, double scale) {
        if (samples.dim() != gradients.dim() || samples.count() != gradients.count()) {
            throw new IllegalArgumentException(
                    "each sample takes a gradient of its shape; found " + samples + " and " + gradients);
        }
        return of(samples.toDoubles(), gradients.toDoubles(), count(samples), scale);
    }

    private static int count(Tensor samples) {
        if (samples.dim() < 1 || samples.size(0) < 2) {
            throw new IllegalArgumentException("a discrepancy takes two samples or more, found " + samples);
        }
        return Math.toIntExact(samples.size(0));
    }

    private static double[] gradients(LogDensity f, Tensor samples) {
        double[] gradients = new double[Math.toIntExact(samples.count())];
        int at = 0;
        long batch = Math.max(1, Math.min(Batches.SIZE, NUMBERS * samples.size(0) / samples.count()));
        for (long start = 0; start < samples.size(0); start += batch) {
            try (Scope scope = Scope.open()) {
                Tensor x = samples.narrow(0, start, Math.min(batch, samples.size(0) - start));
                double[] part = f.gradient(x).toDoubles();
                System.arraycopy(part, 0, gradients, at, part.length);
                at += part.length;
            }
        }
        return gradients;
    }

    private static SteinDiscrepancy of(double[] x, double[] s, int n, double c) {
        Check.positive("scale", c);
        int d = x.length / n;
        int notFinite = notFinite(x, s, d);
        if (notFinite > 0) {
            return new SteinDiscrepancy(Double.NaN, Double.NaN, n, notFinite);
        }
        double different = 0;
        double same = 0;
        for (int i = 0; i < n; i++) {
            double row = 0;
            for (int j = 0; j < i; j++) {
                row += steinKernel(x, s, i * d, j * d, d, c);
            }
            different += 2 * row;
            same += steinKernel(x, s, i * d, i * d, d, c);
        }
        double pairs = (double) n * n;
        // the mean square of a function: below 0 only by rounding
        return new SteinDiscrepancy(Math.max(0, (different + same) / pairs), different / (pairs - n), n, 0);
    }

    /** k₀ of the samples that begin at i and j. */
    private static double steinKernel(double[] x, double[] s, int i, int j, int d, double c) {
        double square = 0;
        double product = 0;
        double along = 0;
        for (int k = 0; k < d; k++) {
            double u = x[i + k] - x[j + k];
            square += u * u;
            product += s[i + k] * s[j + k];
            along += (s[i + k] - s[j + k]) * u;
        }
        double inverse = 1 / (c * c + square);
        return Math.sqrt(inverse) * (product + inverse * (along + d - 3 * square * inverse));
    }

    private static int notFinite(double[] x, double[] s, int d) {
        double[] both = new double[x.length];
        for (int i = 0; i < both.length; i++) {
            both[i] = Double.isFinite(s[i]) ? x[i] : s[i];
        }
        return Batches.notFiniteRows(both, d);
    }
}

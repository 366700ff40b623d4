package dev.kelvin.metric;

import dev.kelvin.energy.LogDensity;
import dev.kelvin.metric.figure.Figure;
import dev.kelvin.metric.figure.FigureOfMerit;
import dev.kelvin.metric.figure.Judged;
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
 * Gorham and Mackey 2017, theorem 8 for why this kernel, here with c = 1. The sum
 * takes n²d operations in double.
 */
@Named("stein")
public final class SteinDiscrepancy implements FigureOfMerit {
    public static final Figure STEIN = Figure.of("stein", "Stein discrepancy of samples")
            .meaning("Kernel Stein discrepancy between the samples and the model, computed from ∇f alone:"
                    + " small where the chains have converged; it is insensitive to wrong weights of distant modes.")
            .lower()
            .citing("liu2016ksd", "gorham2017");

    /** Samples, at most. */
    private static final int MOST = 1000;

    /** Numbers in a batch: as many images at once as their network's layers leave memory for. */
    private static final int NUMBERS = 64 * Batches.SIZE;

    @Override
    public List<Figure> figures() {
        return List.of(STEIN);
    }

    @Override
    public Map<String, Double> of(Key key, Judged judged) {
        try (Scope scope = Scope.open()) {
            return Map.of(STEIN.name(), of(judged.density(), Subset.of(key, judged.samples(), MOST)));
        }
    }

    /** KSD of samples [n, ...] in the type and place that f takes; NaN if one or its gradient is not finite. */
    public static double of(LogDensity f, Tensor samples) {
        if (samples.dim() < 1 || samples.size(0) < 2) {
            throw new IllegalArgumentException("a discrepancy takes two samples or more, found " + samples);
        }
        return Math.sqrt(squared(samples.toDoubles(), gradients(f, samples), Math.toIntExact(samples.size(0))));
    }

    static double squared(double[] x, double[] s, int n) {
        int d = x.length / n;
        double different = 0;
        double same = 0;
        for (int i = 0; i < n; i++) {
            double row = 0;
            for (int j = 0; j < i; j++) {
                row += steinKernel(x, s, i * d, j * d, d);
            }
            different += 2 * row;
            same += steinKernel(x, s, i * d, i * d, d);
        }
        // the mean square of a function: below 0 only by rounding
        return Math.max(0, (different + same) / ((double) n * n));
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

    /** k₀ of the samples that begin at i and j. */
    private static double steinKernel(double[] x, double[] s, int i, int j, int d) {
        double square = 0;
        double product = 0;
        double along = 0;
        for (int k = 0; k < d; k++) {
            double u = x[i + k] - x[j + k];
            square += u * u;
            product += s[i + k] * s[j + k];
            along += (s[i + k] - s[j + k]) * u;
        }
        double inverse = 1 / (1 + square);
        return Math.sqrt(inverse) * (product + inverse * (along + d - 3 * square * inverse));
    }
}

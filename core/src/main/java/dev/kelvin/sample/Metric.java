package dev.kelvin.sample;

import dev.kelvin.part.Check;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * L, by which a kernel's unit velocities become moves x += εLv and gradients become pushes v += εLᵀ∇f; the covariance that
 * it fits is LLᵀ, the inverse of the mass. L is lower triangular, diagonal, or 1, by how many numbers there are: d(d + 1)/2
 * by rows, d, or none.
 */
final class Metric {
    private final @Nullable Tensor diagonal; // [1, ...] or null
    private final @Nullable Tensor lower; // [d, d] or null
    private final @Nullable Tensor upper;

    private Metric(@Nullable Tensor diagonal, @Nullable Tensor lower, @Nullable Tensor upper) {
        this.diagonal = diagonal;
        this.lower = lower;
        this.upper = upper;
    }

    /** For positions [n, ...]; owned by the innermost scope. */
    static Metric of(List<Double> scales, Tensor x) {
        if (scales.isEmpty()) {
            return new Metric(null, null, null);
        }
        int d = Math.toIntExact(x.count() / Math.max(1, x.size(0)));
        requireFit(scales, d);
        double[] numbers = scales.stream().mapToDouble(Double::doubleValue).toArray();
        if (numbers.length == d) {
            long[] shape = x.shape();
            shape[0] = 1;
            return new Metric(Tensors.like(x, numbers, shape), null, null);
        }
        double[] full = new double[d * d];
        for (int i = 0, at = 0; i < d; i++) {
            for (int j = 0; j <= i; j++) {
                full[i * d + j] = numbers[at++];
            }
        }
        Tensor lower = Tensors.like(x, full, d, d);
        return new Metric(null, lower, lower.transpose().contiguous());
    }

    static void requireFit(List<Double> scales, long d) {
        Check.require(
                scales.isEmpty() || scales.size() == d || scales.size() == d * (d + 1) / 2,
                "scales",
                "must have one number for each of the " + d + " coordinates, or the " + d * (d + 1) / 2
                        + " of a lower triangular matrix by rows; found " + scales.size());
        boolean triangular = scales.size() != d;
        for (int i = 0, at = 0; i < d && !scales.isEmpty(); i++, at += triangular ? i + 1 : 1) {
            Check.positive(triangular ? "scales (on the diagonal)" : "scales", scales.get(at));
        }
    }

    /** x += εLv. */
    void move(Tensor x, Tensor v, double epsilon) {
        if (diagonal != null) {
            x.addProductInPlace(v, diagonal, epsilon);
        } else if (upper != null) {
            x.flattenSamples().addMatmulInPlace(v.flattenSamples(), upper, epsilon);
        } else {
            x.addInPlace(v, epsilon);
        }
    }

    /** v += εLᵀg. */
    void push(Tensor v, Tensor g, double epsilon) {
        if (diagonal != null) {
            v.addProductInPlace(g, diagonal, epsilon);
        } else if (lower != null) {
            v.flattenSamples().addMatmulInPlace(g.flattenSamples(), lower, epsilon);
        } else {
            v.addInPlace(g, epsilon);
        }
    }
}

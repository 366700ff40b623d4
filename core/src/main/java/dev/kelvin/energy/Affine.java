package dev.kelvin.energy;

import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;

/**
 * A density in other coordinates: u ↦ f(o + uA), ∇ = ∇f(o + uA)Aᵀ, with a matrix A of one row for each coordinate of u. With
 * a square A, such as a covariance's factor, u has coordinates in which a kernel's one step size suits all; with fewer rows
 * than columns the samples stay on the plane o + uA, so that f is conditioned on linear constraints.
 *
 * @param offset o, [1, d] or one for each sample, [n, d]
 * @param matrix A, [m, d]
 */
public record Affine(LogDensity f, Tensor offset, Tensor matrix) implements ChangedCoordinates {
    /** The samples: [n, m] → [n, d]. */
    @Override
    public Tensor samples(Tensor u) {
        return Scope.kept(() -> u.matmul(matrix.to(u.dtype())).plus(offset.to(u.dtype())));
    }

    @Override
    public Tensor back(Tensor gradient) {
        return gradient.matmul(matrix.to(gradient.dtype()).transpose());
    }

    /** Several coordinates of u make one of x, so there is no limit on u's that is one on x's. */
    @Override
    public Tensor clip(Tensor gradient, double limit) {
        throw new UnsupportedOperationException(
                "a gradient's components cannot be limited in coordinates that mix them");
    }

    @Override
    public Tensor clamp(Tensor u, double low, double high) {
        throw new UnsupportedOperationException("coordinates cannot be limited in coordinates that mix them");
    }

    @Override
    public LogDensity rows(long... rows) {
        return new Affine(f.rows(rows), offset.size(0) == 1 ? offset : offset.rows(rows), matrix);
    }
}

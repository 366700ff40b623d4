package dev.kelvin.energy;

import dev.kelvin.tensor.Cholesky;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.SymmetricEigen;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.stream.IntStream;

/**
 * Some coordinates of a Gaussian given the others, for many samples at once: what a model that fills in pixels is compared
 * with.
 *
 * <pre>
 * F free, K known:  mean  μ_F + Σ_FK Σ_KK⁻¹ (x_K − μ_K),  covariance  Σ_FF − Σ_FK Σ_KK⁻¹ Σ_KF
 * </pre>
 */
public final class ConditionalGaussian {
    private final long[] free;
    private final long[] known;
    private final Tensor mean; // [1, d]
    private final Tensor weights; // [k, m]: (Σ_FK Σ_KK⁻¹)ᵀ
    private final Tensor factor; // [m, m]: the Cholesky factor of the covariance

    /** Of a mean [d] and a covariance [d, d], in double, in the scope that is open. */
    public ConditionalGaussian(Tensor mean, Tensor covariance, boolean... free) {
        int d = free.length;
        if (mean.count() != d || covariance.count() != (long) d * d) {
            throw new IllegalArgumentException(d + " coordinates do not fit the mean " + mean);
        }
        this.free = IntStream.range(0, d).filter(i -> free[i]).asLongStream().toArray();
        known = IntStream.range(0, d).filter(i -> !free[i]).asLongStream().toArray();
        this.mean = mean.to(DType.DOUBLE).reshape(1, d);
        try (Scope scope = Scope.open()) {
            Tensor sigma = covariance.to(DType.DOUBLE);
            Tensor across = block(sigma, known, this.free); // Σ_KF
            Tensor explained = Tensors.zeros(DType.DOUBLE, sigma.device(), this.free.length, this.free.length);
            if (known.length == 0) {
                weights = scope.keep(across);
            } else {
                SymmetricEigen eigen = SymmetricEigen.of(block(sigma, known, known));
                Tensor turned = eigen.vectors().transpose().matmul(across);
                Tensor scaled = turned.over(eigen.values().unsqueeze(1));
                weights = scope.keep(eigen.vectors().matmul(scaled));
                explained = turned.transpose().matmul(scaled);
            }
            factor = scope.keep(
                    Cholesky.checked(block(sigma, this.free, this.free).minus(explained)));
        }
    }

    private static Tensor block(Tensor matrix, long[] rows, long[] columns) {
        return matrix.rows(rows).transpose().rows(columns).transpose();
    }

    private static Tensor columns(Tensor x, long... columns) {
        return x.transpose().rows(columns).transpose();
    }

    /** The conditional mean of samples' free coordinates by their known ones: [n, d] → [n, m]. */
    public Tensor mean(Tensor x) {
        try (Scope scope = Scope.open()) {
            Tensor centred = columns(x.to(DType.DOUBLE).minus(mean), known);
            return scope.keep(centred.matmul(weights).plus(columns(mean, free)));
        }
    }

    /** L with LLᵀ the conditional covariance, [m, m]. */
    public Tensor factor() {
        return factor;
    }

    /** A draw of each sample's free coordinates: [n, d] → [n, m]. */
    public Tensor draw(Key key, Tensor x) {
        try (Scope scope = Scope.open()) {
            Tensor noise = Tensors.normal(key, DType.DOUBLE, mean.device(), x.size(0), free.length);
            return scope.keep(mean(x).plus(noise.matmul(factor.transpose())));
        }
    }
}

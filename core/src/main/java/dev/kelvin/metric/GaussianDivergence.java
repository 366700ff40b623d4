package dev.kelvin.metric;

import dev.kelvin.tensor.NoGrad;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.SymmetricEigen;
import dev.kelvin.tensor.Tensor;
import java.util.Arrays;

/**
 * The Kullback–Leibler divergence of the Gaussians with two sets' moments,
 *
 * <pre>KL(N₁‖N₂) = ½ [tr S₂⁻¹S₁ − d − log det S₂⁻¹S₁ + (μ₁ − μ₂)ᵀ S₂⁻¹ (μ₁ − μ₂)],</pre>
 *
 * in nats. With S₂ = QΛQᵀ, W = QΛ^{−½} and the eigenvalues κ of WᵀS₁W it is ½ Σ (κᵢ − 1 − log κᵢ) + ½ ‖Wᵀ(μ₁ − μ₂)‖²,
 * in which no term is negative.
 *
 * <p>It is ∞ where a covariance is singular to rounding, as it is with d vectors or fewer: then one Gaussian lies in a
 * plane and gives the other's draws no density.
 *
 * @param value KL; NaN if a feature is not finite
 * @param means the part of the means in it
 * @param covariances the rest
 * @param notFinite vectors, of both sets, with a NaN or an infinity
 */
public record GaussianDivergence(double value, double means, double covariances, long notFinite) {
    /** KL(first‖second), of two or more vectors each. */
    public static GaussianDivergence of(Moments first, Moments second) {
        FrechetDistance.checkAlike(first, second);
        long notFinite = first.notFinite() + second.notFinite();
        try (NoGrad noGrad = NoGrad.open();
                Scope scope = Scope.open()) {
            Tensor covariance = first.covariance();
            Tensor other = second.covariance();
            Tensor shift = first.mean().minus(second.mean());
            if (!shift.allFinite() || !covariance.allFinite() || !other.allFinite()) {
                return new GaussianDivergence(Double.NaN, Double.NaN, Double.NaN, notFinite);
            }
            SymmetricEigen eigen = SymmetricEigen.of(other);
            if (FrechetDistance.nulls(eigen.values().toDoubles()) > 0) {
                return infinite(Double.POSITIVE_INFINITY);
            }
            Tensor whitening = eigen.vectors().over(eigen.values().sqrt()); // W
            double means = shift.unsqueeze(0).matmul(whitening).square().sum().item() / 2;
            double[] kappa = SymmetricEigen.valuesOf(whitening.transpose().matmul(covariance.matmul(whitening)))
                    .toDoubles();
            if (FrechetDistance.nulls(kappa) > 0) {
                return infinite(means);
            }
            double covariances =
                    Arrays.stream(kappa).map(k -> k - 1 - Math.log(k)).sum() / 2;
            return new GaussianDivergence(means + covariances, means, covariances, 0);
        }
    }

    private static GaussianDivergence infinite(double means) {
        return new GaussianDivergence(Double.POSITIVE_INFINITY, means, Double.POSITIVE_INFINITY, 0);
    }
}

package dev.kelvin.metric.image;

import dev.kelvin.metric.figure.Figure;
import dev.kelvin.part.InvalidInputException;
import dev.kelvin.tensor.NoGrad;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.SymmetricEigen;
import dev.kelvin.tensor.Tensor;
import java.util.Arrays;

/**
 * How far two sets are apart in a network's features, if those were Gaussian: the Fréchet distance, called FID with the
 * features of the Inception network,
 *
 * <pre>FID = ‖μ₁ − μ₂‖² + tr S₁ + tr S₂ − 2 tr √(S₁S₂).</pre>
 *
 * The root's trace is taken by two symmetric eigenproblems: with S₁ = QΛQᵀ, S₁S₂ has the eigenvalues of Λ^½QᵀS₂QΛ^½ and
 * zeros. Eigenvalues below 0, which are rounding, count as 0, and so do those of S₁ below d·2⁻⁵²·max Λ, numpy's limit of a
 * matrix's rank; S₁ is the one of fewer vectors, as its rank is lower. It is biased upwards by about 1/n, so that only
 * figures of one sample size compare: see {@link Extrapolation}. Below 0 by rounding at most; NaN if a feature is not finite.
 *
 * <p>Source: Heusel et al. 2017, eq. 6. Three products and two eigenproblems of d × d.
 */
public final class FrechetDistance {
    public static final Figure FID_GAUSSIAN = Figure.of("fid_gaussian", "FID of a fitted Gaussian")
            .meaning(
                    "FID of samples of a Gaussian with the pixels' mean and covariance: a baseline that a model must beat.")
            .citing("heusel2017");

    public static final Figure FID = Figure.of("fid", "FID")
            .meaning(
                    "Fréchet distance between the features of samples and of the training images; 0 is perfect. It depends on the number of samples: only values with the same features, images and number are comparable. It is"
                            + " judged relative to that of a fitted Gaussian.")
            .lower(0.5, 1)
            .shareOf(FID_GAUSSIAN)
            .citing("heusel2017");

    public static final Figure FID_SHARE = Figure.of("fid_share", "FID relative to a fitted Gaussian")
            .meaning(
                    "FID of the samples over that of the fitted Gaussian's: below 1 the model is better than its pixels'"
                            + " mean and covariance.")
            .lower(0.5, 1)
            .citing("heusel2017");

    public static final Figure FID_TRAINING = Figure.of("fid_training", "FID of training's chains, on (1 − β)f")
            .meaning(
                    "FID of chains as training draws its negatives, on (1 − β)f: they are meant to spread wider than the data, so a large value is expected.")
            .citing("heusel2017");

    public static final Figure FID_BUFFER = Figure.of("fid_buffer", "FID of the replay buffer")
            .meaning("FID of the replay buffer's persistent chains: often far better than that of fresh chains.")
            .lower(0.5, 1)
            .shareOf(FID_GAUSSIAN)
            .citing("heusel2017");

    public static final Figure FID_BUFFER_SHARE = Figure.of(
                    "fid_buffer_share", "FID of the replay buffer relative to a fitted Gaussian")
            .meaning("FID of the replay buffer's chains over that of as many samples of the fitted Gaussian.")
            .lower()
            .citing("heusel2017");

    public static final Figure FID_TEST = Figure.of("fid_test", "FID of held-out images")
            .meaning("FID of real images that were not trained on: what perfect samples of their number have.")
            .citing("heusel2017");

    public static final Figure FID_TEST_SHARE = Figure.of(
                    "fid_test_share", "FID of held-out images relative to a fitted Gaussian")
            .meaning(
                    "FID of held-out images over that of as many samples of the fitted Gaussian: what perfect samples have.")
            .citing("heusel2017");

    public static final Figure FID_INFINITY = Figure.of("fid_infinity", "FID∞")
            .meaning("FID extrapolated to infinitely many samples.")
            .lower()
            .citing("heusel2017", "chong2020");

    private FrechetDistance() {}

    /** Of sets of two or more vectors each. */
    public static double of(Moments samples, Moments reference) {
        if (samples.dimensions() != reference.dimensions()) {
            throw new InvalidInputException("only features of one network compare; found vectors of "
                    + samples.dimensions() + " and of " + reference.dimensions() + " dimensions");
        }
        try (NoGrad noGrad = NoGrad.open();
                Scope scope = Scope.open()) {
            Tensor shift = samples.mean().minus(reference.mean());
            return samples.count() <= reference.count()
                    ? of(shift, samples.covariance(), reference.covariance())
                    : of(shift, reference.covariance(), samples.covariance());
        }
    }

    static double of(Tensor shift, Tensor first, Tensor second) {
        double means = shift.square().sum().item();
        return Double.isFinite(means) && first.allFinite() && second.allFinite()
                ? means + (trace(first) + trace(second) - 2 * rootTrace(first, second))
                : Double.NaN;
    }

    private static double trace(Tensor matrix) {
        return matrix.diagonal().sum().item();
    }

    /** tr √(S₁S₂). */
    private static double rootTrace(Tensor first, Tensor second) {
        SymmetricEigen eigen = SymmetricEigen.of(first);
        int d = (int) first.size(0);
        int nulls = nulls(eigen.values().toDoubles());
        if (nulls == d) {
            return 0;
        }
        // QΛ^½ without its columns of zeros: [d, rank]
        Tensor roots = eigen.values().narrow(0, nulls, d - nulls).sqrt();
        Tensor factor = eigen.vectors().narrow(1, nulls, d - nulls).times(roots);
        Tensor product = factor.transpose().matmul(second.matmul(factor));
        return SymmetricEigen.valuesOf(product)
                .clamp(0, Double.POSITIVE_INFINITY)
                .sqrt()
                .sum()
                .item();
    }

    /** How many of a covariance's ascending eigenvalues are 0 to rounding. */
    static int nulls(double[] ascending) {
        double limit = ascending.length * Math.ulp(1.0) * ascending[ascending.length - 1];
        return (int) Arrays.stream(ascending)
                .takeWhile(value -> value <= Math.max(0, limit))
                .count();
    }
}

package dev.kelvin.metric.image;

import dev.kelvin.metric.figure.Figure;
import dev.kelvin.part.InvalidInputException;
import dev.kelvin.tensor.NoGrad;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.SymmetricEigen;
import dev.kelvin.tensor.Tensor;

/**
 * How far two sets are apart in a network's features, if those were Gaussian: the Fréchet distance, called FID with the
 * features of the Inception network,
 *
 * <pre>FID = ‖μ₁ − μ₂‖² + tr S₁ + tr S₂ − 2 tr √(S₁S₂).</pre>
 *
 * The root's trace is taken by two symmetric eigenproblems: with S₁ = QΛQᵀ, S₁S₂ has the eigenvalues of Λ^½QᵀS₂QΛ^½ and
 * zeros. Eigenvalues below 0, which are rounding, count as 0, and so do those of S₁ below d·2⁻⁵²·max Λ, numpy's limit of a
 * matrix's rank; S₁ is the one of fewer vectors, as its rank is lower. It is biased upwards by about 1/n, so that only
 * figures of one sample size compare: see {@link SampleSizes}.
 *
 * <p>Source: Heusel et al. 2017, eq. 6. Three products and two eigenproblems of d × d.
 *
 * @param value FID; below 0 by rounding at most; NaN if a feature is not finite
 * @param means ‖μ₁ − μ₂‖², the part of the means in it
 * @param covariances the rest
 * @param samples vectors in the first set
 * @param reference vectors in the second
 * @param notFinite vectors, of both sets, with a NaN or an infinity
 */
public record FrechetDistance(
        double value, double means, double covariances, long samples, long reference, long notFinite) {
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

    public static final Figure FID_INFINITY = Figure.of("fid_infinity", "FID∞")
            .meaning("FID extrapolated to infinitely many samples.")
            .lower()
            .citing("heusel2017", "chong2020");

    /** Of sets of two or more vectors each. */
    public static FrechetDistance of(Moments samples, Moments reference) {
        checkAlike(samples, reference);
        try (NoGrad noGrad = NoGrad.open();
                Scope scope = Scope.open()) {
            Tensor first = samples.covariance();
            Tensor second = reference.covariance();
            Tensor shift = samples.mean().minus(reference.mean());
            double means = shift.square().sum().item();
            if (!Double.isFinite(means) || !first.allFinite() || !second.allFinite()) {
                return of(Double.NaN, Double.NaN, samples, reference);
            }
            double root = samples.count() <= reference.count() ? rootTrace(first, second) : rootTrace(second, first);
            return of(means, trace(first) + trace(second) - 2 * root, samples, reference);
        }
    }

    private static FrechetDistance of(double means, double covariances, Moments samples, Moments reference) {
        return new FrechetDistance(
                means + covariances,
                means,
                covariances,
                samples.count(),
                reference.count(),
                samples.notFinite() + reference.notFinite());
    }

    static void checkAlike(Moments first, Moments second) {
        if (first.dimensions() != second.dimensions()) {
            throw new InvalidInputException("only features of one network compare; found vectors of "
                    + first.dimensions() + " and of " + second.dimensions() + " dimensions");
        }
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
        int nulls = 0;
        while (nulls < ascending.length && ascending[nulls] <= Math.max(0, limit)) {
            nulls++;
        }
        return nulls;
    }
}

package dev.kelvin.energy;

/**
 * A log-density about which everything is known: samplers are tested against its draws and moments, estimates of log Z
 * against its normaliser.
 */
public interface Target extends LogDensity, ExactSampler {
    /** log ∫ exp f. */
    double logNormaliser();

    /** The exact mean. */
    double[] mean();

    /** The exact covariance. */
    double[][] covariance();
}

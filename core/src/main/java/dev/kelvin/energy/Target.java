package dev.kelvin.energy;

/**
 * A log-density about which everything is known: samplers are tested against its draws and moments, estimates of log Z
 * against its normaliser.
 */
public interface Target extends LogDensity, ExactSampler {
    /** log ∫ exp f; 0 unless a target says otherwise, as most are normalised. */
    default double logNormaliser() {
        return 0;
    }

    /** The exact mean; the origin unless a target says otherwise. */
    default double[] mean() {
        return new double[dimension()];
    }

    /** The exact covariance. */
    double[][] covariance();
}

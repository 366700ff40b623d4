package dev.kelvin.diagnostic;

/**
 * The standard error of a mean over chains, sd/√ESS: what is left to chance because the run was not longer.
 *
 * <p>Source: Vehtari et al., Rank-normalization, folding, and localization, Bayesian Analysis 2021.
 */
public final class MonteCarloError {
    private MonteCarloError() {}

    /** Of the mean of all draws of chains [chain][draw], by {@link EffectiveSampleSize#mean}; NaN where that is. */
    public static double ofMean(double[][] chains) {
        double size = EffectiveSampleSize.mean(chains);
        return Math.sqrt(ChainDraws.variance(ChainDraws.pooled(chains)) / size);
    }
}

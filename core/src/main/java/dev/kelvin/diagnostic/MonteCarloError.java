package dev.kelvin.diagnostic;

/**
 * The standard errors of what is estimated from chains [chain][draw]: what is left to chance because the run was not longer.
 *
 * <pre>
 * mean  sd/√ESS
 * sd    √((E c⁴ − (E c²)²)/(4 E c² · ESS of c²)),  c = x − x̄ (delta method)
 * </pre>
 *
 * <p>Each is NaN where its {@link EffectiveSampleSize} is.
 *
 * <p>Source: Vehtari et al. 2021, section 4.4; their R package, posterior.
 */
public final class MonteCarloError {
    private MonteCarloError() {}

    /** Of the mean of all draws, by {@link EffectiveSampleSize#mean}. */
    public static double ofMean(double[][] chains) {
        double size = EffectiveSampleSize.mean(chains);
        return Math.sqrt(ChainDraws.variance(ChainDraws.pooled(chains)) / size);
    }

    /** Of the standard deviation of all draws. */
    public static double ofStandardDeviation(double[][] chains) {
        double mean = ChainDraws.mean(ChainDraws.pooled(chains));
        double[][] squares = ChainDraws.each(chains, draw -> (draw - mean) * (draw - mean));
        double size = EffectiveSampleSize.mean(squares);
        double second = ChainDraws.mean(ChainDraws.pooled(squares));
        double fourth = ChainDraws.mean(ChainDraws.pooled(ChainDraws.each(squares, square -> square * square)));
        return Math.sqrt((fourth - second * second) / size / second / 4);
    }
}

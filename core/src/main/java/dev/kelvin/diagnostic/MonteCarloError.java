package dev.kelvin.diagnostic;

import java.util.Arrays;
import org.apache.commons.statistics.distribution.BetaDistribution;

/**
 * The standard errors of what is estimated from chains [chain][draw]: what is left to chance because the run was not longer.
 *
 * <pre>
 * mean      sd/√ESS
 * sd        √((E c⁴ − (E c²)²)/(4 E c² · ESS of c²)),  c = x − x̄ (delta method)
 * quantile  half the distance of the draws at the 16 and 84 % quantiles of Beta(ESS·p + 1, ESS·(1 − p) + 1)
 * </pre>
 *
 * <p>Each is NaN where its {@link EffectiveSampleSize} is.
 *
 * <p>Source: Vehtari et al. 2021, section 4.4; their R
 * package, posterior.
 */
public final class MonteCarloError {
    /** Φ(−1), as the R package has it. */
    private static final double BELOW = 0.1586553;

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

    /** Of the median of all draws. */
    public static double ofMedian(double[][] chains) {
        return ofQuantile(chains, 0.5);
    }

    /** Of the p-quantile of all draws. */
    public static double ofQuantile(double[][] chains, double p) {
        double size = EffectiveSampleSize.quantile(chains, p);
        if (Double.isNaN(size)) {
            return Double.NaN;
        }
        double[] sorted = ChainDraws.pooled(chains);
        Arrays.sort(sorted);
        int count = sorted.length;
        BetaDistribution shares = BetaDistribution.of(size * p + 1, size * (1 - p) + 1);
        double low = shares.inverseCumulativeProbability(BELOW);
        double high = shares.inverseCumulativeProbability(1 - BELOW);
        double first = sorted[Math.max((int) Math.floor(low * count), 1) - 1];
        double last = sorted[Math.min((int) Math.ceil(high * count), count) - 1];
        return (last - first) / 2;
    }
}

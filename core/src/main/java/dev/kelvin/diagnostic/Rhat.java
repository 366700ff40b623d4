package dev.kelvin.diagnostic;

import dev.kelvin.metric.figure.Figure;
import java.util.Arrays;

/**
 * Do chains from different starts agree? R̂ compares the variance of all draws with that within a chain,
 *
 * <pre>R̂ = √(var⁺/W),   var⁺ = (n − 1)/n W + B/n,</pre>
 *
 * W being the mean of the chains' variances, B/n the variance of their means. It falls to 1 as chains mix; above 1.01
 * ({@link #rankNormalised}) they have not. Choose {@link #rankNormalised}: it also sees chains that drift, differ only in
 * scale, or have no variance. The others are there for comparison with the literature.
 *
 * <p>Chains are [chain][draw], draws of one scalar quantity. A draw that is not finite makes NaN. If no chain moves, R̂ is ∞
 * where they stand at different values, NaN where all draws are equal: then nothing is known.
 *
 * <p>Sources: Gelman and Rubin 1992, without their correction for degrees of freedom, as everyone does since Gelman et
 * al., Bayesian Data Analysis; Vehtari et al. 2021, eq. 1–4 and 14.
 */
public final class Rhat {
    /** Where chains agree, and where they certainly do not: Vehtari et al. (2021), and the older rule of thumb. */
    private static final double GOOD = 1.01;

    private static final double POOR = 1.1;

    public static final Figure RHAT = Figure.of("rhat", "R-hat")
            .meaning(
                    "Compares chains with each other: 1 is agreement, above 1.01 is not. The worst coordinate's, rank-normalised;"
                            + " in studies Gelman and Rubin's classic one, the median over sets of chains.")
            .lower(GOOD, POOR)
            .citing("vehtari2021");

    public static final Figure RHAT_LOW = Figure.of("rhat_low", "R-hat, 10 % quantile")
            .meaning("The classic R-hat that a tenth of the sets of chains lie below.")
            .lower(GOOD, POOR);

    public static final Figure RHAT_HIGH = Figure.of("rhat_high", "R-hat, 90 % quantile")
            .meaning("The classic R-hat that a tenth of the sets of chains lie above.")
            .lower(GOOD, POOR);

    public static final Figure RANK_RHAT = Figure.of("rank_rhat", "R-hat, rank-normalised")
            .meaning("R-hat of the draws' ranks, the larger of bulk and folded; the median over sets of chains.")
            .lower(GOOD, POOR)
            .citing("vehtari2021");

    public static final Figure CLASSIC_RHAT = Figure.of("classic_rhat", "R-hat, classic")
            .meaning("Gelman and Rubin's, at the coordinate whose rank-normalised one is worst: for comparison with the"
                    + " literature.")
            .lower()
            .citing("gelman1992");

    /** Halves of a chain need a variance. */
    private static final int LEAST_DRAWS = 4;

    private Rhat() {}

    /**
     * Split R̂ of z = Φ⁻¹((r − 3/8)/(S + 1/4)), r being a draw's rank among all S: what has no variance gets one.
     *
     * @param bulk of the draws: do the chains agree on where they are?
     * @param folded of the draws' distances from their median: do they agree on how far they spread?
     */
    public record RankNormalised(double bulk, double folded) {
        /**
         * The figure to report: the larger of the two. Where all draws lie equally far from the median, as those of a
         * fair coin do, folded is NaN and bulk alone counts.
         */
        public double max() {
            return Double.isNaN(folded) ? bulk : Math.max(bulk, folded);
        }
    }

    /** The chains as they are; two or more. */
    public static double classic(double[][] chains) {
        ChainDraws.check(chains, 2, LEAST_DRAWS);
        return of(chains);
    }

    /** Each chain cut into halves, so that a drift within chains is seen, also in a single one. */
    public static double split(double[][] chains) {
        ChainDraws.check(chains, 1, LEAST_DRAWS);
        return of(ChainDraws.halves(chains));
    }

    /** Split R̂ of the ranks, for the bulk and for the tails. */
    public static RankNormalised rankNormalised(double[][] chains) {
        ChainDraws.check(chains, 1, LEAST_DRAWS);
        if (!ChainDraws.finite(chains)) {
            return new RankNormalised(Double.NaN, Double.NaN);
        }
        double bulk = of(ChainDraws.rankNormal(ChainDraws.halves(chains)));
        double folded = of(ChainDraws.rankNormal(ChainDraws.halves(folded(chains))));
        return new RankNormalised(bulk, folded);
    }

    private static double of(double[][] chains) {
        return Math.sqrt(ChainDraws.pooledVariance(chains) / ChainDraws.within(chains));
    }

    /** |x − median|. */
    private static double[][] folded(double[][] chains) {
        double[] sorted = ChainDraws.pooled(chains);
        Arrays.sort(sorted);
        double median = ChainDraws.quantile(sorted, 0.5);
        return ChainDraws.each(chains, draw -> Math.abs(draw - median));
    }
}

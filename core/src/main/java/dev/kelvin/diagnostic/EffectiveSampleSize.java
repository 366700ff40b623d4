package dev.kelvin.diagnostic;

import dev.kelvin.metric.figure.Figure;
import dev.kelvin.part.Check;
import java.util.Arrays;

/**
 * How many independent draws would tell as much as these S = mn correlated ones:
 *
 * <pre>ESS = S/τ,   τ = −1 + 2 Σ_{t even, t &lt; T} min_{s ≤ t} Γ_s + ρ_T,   Γ_t = ρ_t + ρ_{t+1},</pre>
 *
 * with ρ of {@link Autocorrelation} and T the first even lag at which Γ is not positive, at most n − 4: for a reversible
 * chain Γ is positive and falls, so what does neither is noise (Geyer's initial monotone sequence). ρ_T is left out where
 * it and Γ_T are negative. τ is at least 1/log₁₀ S: draws that are better than independent (antithetic) count at most
 * log₁₀ S times.
 *
 * <p>Report {@link #bulk} and {@link #tail}, for the middle and the ends of the distribution; 100 for each chain is what
 * {@link Rhat} needs to be reliable. {@link #mean} is for the mean's {@link MonteCarloError error}.
 *
 * <p>Chains are [chain][draw], draws of one scalar quantity. A draw that is not finite makes NaN, and so do draws that are all
 * equal.
 *
 * <p>Sources: Geyer 1992, section 3.3; Vehtari et al. 2021, section 3.2; the last term, the cap and where lags end are
 * those of their R package, posterior.
 */
public final class EffectiveSampleSize {
    /** 100 for each of four chains: Vehtari et al. (2021). */
    private static final double ENOUGH = 400;

    public static final Figure ESS_BULK = Figure.of("ess_bulk", "Effective draws, bulk")
            .meaning(
                    "The number of independent draws with the same accuracy for the bulk of the distribution, of the coordinate with the fewest;"
                            + " means need about 400.")
            .higher(ENOUGH, ENOUGH)
            .citing("vehtari2021", "geyer1992");

    public static final Figure ESS_TAIL = Figure.of("ess_tail", "Effective draws, tails")
            .meaning("The same for the 5 % and 95 % quantiles, the smaller of the two.")
            .higher(ENOUGH, ENOUGH)
            .citing("vehtari2021", "geyer1992");

    public static final Figure ESS = Figure.of("ess", "Effective draws")
            .meaning(
                    "Bulk effective sample size of a set of chains, of the coordinate with the fewest; the median over sets.")
            .higher()
            .citing("vehtari2021", "geyer1992");

    /** Shorter chains have no second pair of lags to compare with the first: τ would say nothing. */
    private static final int LEAST_DRAWS = 6;

    private static final double TAIL = 0.05;

    private EffectiveSampleSize() {}

    /** Of the chains as they are, of 6 draws or more; the others split each chain into halves first and take 12. */
    public static double plain(double[][] chains) {
        ChainDraws.check(chains, 1, LEAST_DRAWS);
        return of(chains);
    }

    /** For the mean, if the quantity has a variance. */
    public static double mean(double[][] chains) {
        ChainDraws.check(chains, 1, 2 * LEAST_DRAWS);
        return of(ChainDraws.halves(chains));
    }

    /** Of the draws' ranks, as in {@link Rhat.RankNormalised}: for where the mass is, also without a variance. */
    public static double bulk(double[][] chains) {
        ChainDraws.check(chains, 1, 2 * LEAST_DRAWS);
        return ChainDraws.finite(chains) ? of(ChainDraws.rankNormal(ChainDraws.halves(chains))) : Double.NaN;
    }

    /** The smaller one of the 5 % and the 95 % quantile's. */
    public static double tail(double[][] chains) {
        return Math.min(quantile(chains, TAIL), quantile(chains, 1 - TAIL));
    }

    /**
     * For the p-quantile q: of the indicator x ≤ q. NaN if that holds of all draws, as at p = 1 or where more than 1 − p
     * of them equal the largest.
     */
    public static double quantile(double[][] chains, double p) {
        ChainDraws.check(chains, 1, 2 * LEAST_DRAWS);
        Check.within("p", p, 0, 1);
        if (!ChainDraws.finite(chains)) {
            return Double.NaN;
        }
        double[] sorted = ChainDraws.pooled(chains);
        Arrays.sort(sorted);
        double q = ChainDraws.quantile(sorted, p);
        double[][] below = ChainDraws.each(chains, draw -> draw <= q ? 1 : 0);
        return of(ChainDraws.halves(below));
    }

    /** For the standard deviation: of the distances from the mean. */
    public static double standardDeviation(double[][] chains) {
        ChainDraws.check(chains, 1, 2 * LEAST_DRAWS);
        double mean = ChainDraws.mean(ChainDraws.pooled(chains));
        return of(ChainDraws.halves(ChainDraws.each(chains, draw -> Math.abs(draw - mean))));
    }

    /** For the median. */
    public static double median(double[][] chains) {
        return quantile(chains, 0.5);
    }

    private static double of(double[][] chains) {
        double draws = (double) chains.length * chains[0].length;
        double[] rho = Autocorrelation.of(chains, chains[0].length - 1);
        return Double.isNaN(rho[1]) ? Double.NaN : draws / Math.max(tau(rho), 1 / Math.log10(draws));
    }

    private static double tau(double[] rho) {
        double sum = 0;
        double least = Double.POSITIVE_INFINITY;
        int t = 0;
        while (t < rho.length - 5 && rho[t] + rho[t + 1] > 0) {
            least = Math.min(least, rho[t] + rho[t + 1]);
            sum += least;
            t += 2;
        }
        double last = rho[t] > 0 || rho[t] + rho[t + 1] >= 0 ? rho[t] : 0;
        return -1 + 2 * sum + last;
    }
}

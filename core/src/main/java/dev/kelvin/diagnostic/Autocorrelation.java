package dev.kelvin.diagnostic;

import dev.kelvin.math.Fourier;
import dev.kelvin.part.Check;
import java.util.Arrays;

/**
 * How much a chain's draws remember of those t steps before. Of several chains together,
 *
 * <pre>ρ₀ = 1,   ρ_t = 1 − (W − (1/m) Σ_c γ_{c,t})/var⁺,</pre>
 *
 * with W and var⁺ of {@link Rhat} and a chain's autocovariance γ_t = (1/n) Σ_{s=1}^{n−t} (x_s − x̄)(x_{s+t} − x̄). Chains
 * that disagree thus count as correlated at every lag. For one chain it is γ_t/γ₀ − 1/(n − 1): as x̄ is estimated too,
 * that corrects part of γ's bias.
 *
 * <p>Sources: Vehtari et al. 2021, section 3.2; n, not n − t, below the sum: Geyer 1992.
 */
public final class Autocorrelation {
    private Autocorrelation() {}

    /**
     * ρ₀ to ρ_lags of chains [chain][draw]. A draw that is not finite makes every ρ but the first NaN, and so do draws
     * that are all equal.
     */
    public static double[] of(double[][] chains, int lags) {
        ChainDraws.check(chains, 1, 2);
        Check.atLeast("lags", lags, 0);
        if (lags >= chains[0].length) {
            throw new IllegalArgumentException(
                    "lags must be below the number of draws, " + chains[0].length + "; found " + lags);
        }
        double within = ChainDraws.within(chains);
        double variance = ChainDraws.pooledVariance(chains);
        double[] rho = new double[lags + 1];
        for (double[] chain : chains) {
            double[] one = covariance(chain);
            Arrays.setAll(rho, t -> rho[t] + one[t] / chains.length);
        }
        Arrays.setAll(rho, t -> t == 0 ? 1 : 1 - (within - rho[t]) / variance);
        return rho;
    }

    /** γ₀ to γ_{n−1} of one chain, by Fourier transform: n log n operations. */
    public static double[] covariance(double[] chain) {
        Check.atLeast("draws", chain.length, 1);
        double mean = ChainDraws.mean(chain);
        // zeros as long as the chain, so that its end does not meet its beginning
        int size = Integer.highestOneBit(2 * chain.length - 1) * 2;
        double[] real = new double[size];
        double[] imaginary = new double[size];
        for (int i = 0; i < chain.length; i++) {
            real[i] = chain[i] - mean;
        }
        Fourier.transform(real, imaginary);
        for (int i = 0; i < size; i++) {
            real[i] = real[i] * real[i] + imaginary[i] * imaginary[i];
            imaginary[i] = 0;
        }
        Fourier.transform(real, imaginary); // of an even sequence, its own inverse but for the factor
        double[] covariance = Arrays.copyOf(real, chain.length);
        double factor = 1.0 / size / chain.length;
        Arrays.setAll(covariance, t -> covariance[t] * factor);
        return covariance;
    }
}

package dev.kelvin.diagnostic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.tensor.Key;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Against AR(1) chains, whose τ = (1 + φ)/(1 − φ) is known.
 *
 * <p>A sum of autocorrelations up to lag T has a relative standard deviation of about √(2(2T + 1)/S) (Sokal, Monte Carlo
 * methods in statistical mechanics, 1997, eq. 3.19), and Geyer's T is some 3τ. The bounds are 4 such deviations and 2 %
 * for the bias of a noisy end of the sum: alpha below 1e-4 for each of 17 checks.
 */
class EffectiveSampleSizeStatTest {
    private static final int CHAINS = 4;
    private static final int DRAWS = 25_000;

    private static double tolerance(double tau, int draws) {
        double lags = Math.max(3 * tau, 3);
        return 4 * Math.sqrt(2 * (2 * lags + 1) / draws) + 0.02;
    }

    @ParameterizedTest
    @CsvSource({"0", "0.5", "0.9", "0.97", "-0.5"})
    void autoregressive(double phi) {
        double[][] chains = ChainCases.autoregressive(Key.of(61), phi, CHAINS, DRAWS);
        double tau = (1 + phi) / (1 - phi);
        double known = CHAINS * DRAWS / tau;
        double tolerance = tolerance(tau, CHAINS * DRAWS) * known;
        assertThat(EffectiveSampleSize.plain(chains)).isCloseTo(known, within(tolerance));
        assertThat(EffectiveSampleSize.mean(chains)).isCloseTo(known, within(tolerance));
        // ranks of a Gaussian are a Gaussian again, but for the scale
        assertThat(EffectiveSampleSize.bulk(chains)).isCloseTo(known, within(tolerance));
        // the power twin forgets three times slower: at φ = .97, the hardest, 5 of its deviations below the bound
        double[][] slower = ChainCases.autoregressive(Key.of(61), 1 - (1 - phi) / 3, CHAINS, DRAWS);
        assertThat(EffectiveSampleSize.mean(slower)).isLessThan(known - tolerance);
    }

    /** The indicators of independent draws are independent. */
    @Test
    void tailsOfIndependentDraws() {
        double known = CHAINS * DRAWS;
        double[][] chains = ChainCases.independent(Key.of(62), CHAINS, DRAWS);
        assertThat(EffectiveSampleSize.tail(chains)).isCloseTo(known, within(tolerance(1, CHAINS * DRAWS) * known));
    }

    /**
     * The mean's error is what means of many runs vary by: over 400 runs their variance has a relative standard deviation
     * of √(2/400) = 7 %, and within a run ESS adds less than 1 % to the mean of its squared errors, besides a bias of some
     * 3 %. Alpha = 1e-4: 3.9 times 7 %, and the bias. The twin forgets that draws are correlated: 3 times too small.
     */
    @Test
    void errorOfTheMean() {
        int runs = 400;
        double[] means = new double[runs];
        double squares = 0;
        double forgetful = 0;
        for (int i = 0; i < runs; i++) {
            double[][] chains = ChainCases.autoregressive(Key.of(63).child(i), 0.5, 2, 1000);
            means[i] = ChainDraws.mean(ChainDraws.pooled(chains));
            squares += Math.pow(MonteCarloError.ofMean(chains), 2) / runs;
            forgetful += ChainDraws.variance(ChainDraws.pooled(chains)) / 2000 / runs;
        }
        double variance = ChainDraws.variance(means);
        assertThat(squares / variance).isCloseTo(1, within(0.31));
        assertThat(forgetful / variance).isNotCloseTo(1, within(0.31));
    }

    /** By direct sums these would be 8e10 products, a minute or more; by Fourier transforms 4e7. */
    @Test
    void longChainsAreFast() {
        double[][] chains = ChainCases.autoregressive(Key.of(64), 0.9, 2, 400_000);
        ThreadMXBean threads = ManagementFactory.getThreadMXBean(); // not by the clock: other processes take time too
        long start = threads.getCurrentThreadCpuTime();
        double found = EffectiveSampleSize.bulk(chains);
        assertThat(threads.getCurrentThreadCpuTime() - start).isLessThan(20_000_000_000L);
        assertThat(found).isCloseTo(800_000 / 19.0, within(tolerance(19, 800_000) * 800_000 / 19));
    }
}

package dev.kelvin.diagnostic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.math.Fourier;
import dev.kelvin.tensor.Key;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AutocorrelationTest {
    /** Lengths at, next to and far from powers of two. The transform's rounding is some units of γ₀'s last place. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 8, 9, 64, 65, 1000})
    void transformGivesTheDirectSum(int n) {
        double[] chain = ChainCases.autoregressive(Key.of(71), 0.8, 1, n)[0];
        double mean = Arrays.stream(chain).average().orElseThrow();
        double[] direct = new double[n];
        for (int t = 0; t < n; t++) {
            for (int s = 0; s + t < n; s++) {
                direct[t] += (chain[s] - mean) * (chain[s + t] - mean) / n;
            }
        }
        double[] found = Autocorrelation.covariance(chain);
        assertThat(found).hasSize(n);
        for (int t = 0; t < n; t++) {
            assertThat(found[t]).isCloseTo(direct[t], within(1e-14 * (1 + direct[0])));
        }
    }

    @Test
    void byHand() {
        // mean 2, deviations -1 1 -1 1: γ = 1, -3/4, 2/4, -1/4
        assertThat(Autocorrelation.covariance(new double[] {1, 3, 1, 3}))
                .containsExactly(new double[] {1, -0.75, 0.5, -0.25}, within(1e-15));
        // γ_t/γ₀ − 1/(n − 1)
        assertThat(Autocorrelation.of(new double[][] {{1, 3, 1, 3}}, 2))
                .containsExactly(new double[] {1, -0.75 - 1.0 / 3, 0.5 - 1.0 / 3}, within(1e-14));
        // a second chain 10 higher: W = 4/3, var⁺ = 1 + 50
        assertThat(Autocorrelation.of(new double[][] {{1, 3, 1, 3}, {11, 13, 11, 13}}, 1))
                .containsExactly(new double[] {1, 1 - (4.0 / 3 + 0.75) / 51}, within(1e-14));
    }

    /** Bartlett: Var ρ̂_t ≤ (1 + φ²)/(1 − φ²)/S; 4 deviations, alpha = 6e-5 for each of 10 lags. The twin has another φ. */
    @Test
    void autoregressiveStatTest() {
        double phi = 0.8;
        double[][] chains = ChainCases.autoregressive(Key.of(72), phi, 4, 20_000);
        double bound = 4 * Math.sqrt((1 + phi * phi) / (1 - phi * phi) / 80_000);
        double[] rho = Autocorrelation.of(chains, 10);
        for (int t = 1; t <= 10; t++) {
            assertThat(rho[t]).isCloseTo(Math.pow(phi, t), within(bound));
        }
        assertThat(rho[2]).isNotCloseTo(Math.pow(0.75, 2), within(bound));
    }

    @Test
    void standingChains() {
        double[] standing = new double[5];
        Arrays.fill(standing, 0.1);
        assertThat(Autocorrelation.covariance(standing)).containsOnly(0);
        assertThat(Autocorrelation.of(new double[][] {standing}, 2)).containsExactly(1, Double.NaN, Double.NaN);
        assertThat(Autocorrelation.of(new double[][] {{1, Double.NaN, 2}}, 1)).containsExactly(1, Double.NaN);
    }

    @Test
    void mistakesAreNamed() {
        double[][] chains = {{1, 2, 3}};
        assertThatThrownBy(() -> Autocorrelation.of(chains, 3))
                .hasMessageContaining("below the number of draws, 3; found 3");
        assertThatThrownBy(() -> Autocorrelation.of(chains, -1)).hasMessageContaining("lags must be at least 0");
        assertThatThrownBy(() -> Autocorrelation.covariance(new double[0]))
                .hasMessageContaining("draws must be at least 1, found 0");
        assertThatThrownBy(() -> Fourier.transform(new double[6], new double[6]))
                .hasMessageContaining("a power of two; found 6");
    }
}

package dev.kelvin.diagnostic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.tensor.Key;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EffectiveSampleSizeTest {
    private static double of(double... chain) {
        return EffectiveSampleSize.plain(new double[][] {chain});
    }

    /** τ would be 0: alternating draws are better than independent ones, but counted at most log₁₀ S times. */
    @Test
    void antitheticDrawsAreCapped() {
        double[] chain = new double[100];
        Arrays.setAll(chain, t -> t % 2 == 0 ? 1 : -1);
        assertThat(of(chain)).isCloseTo(100 * 2, within(1e-10));
    }

    /** ChainDraws that stand at different values tell about as much as they are many, never more. */
    @Test
    void chainsThatStandApartCountOnceAtMost() {
        double[][] chains = new double[4][100];
        for (int c = 0; c < 4; c++) {
            Arrays.fill(chains[c], c);
        }
        assertThat(EffectiveSampleSize.plain(chains)).isLessThan(4);
        assertThat(EffectiveSampleSize.bulk(chains)).isLessThan(8);
    }

    @Test
    void scaleAndShiftDoNotMatter() {
        double[][] chains = ChainCases.autoregressive(Key.of(51), 0.7, 3, 301);
        double[][] moved = ChainCases.changed(chains, x -> 1e6 - 250 * x);
        // the shift costs 1e6/250 units in the last place
        assertThat(EffectiveSampleSize.mean(moved)).isCloseTo(EffectiveSampleSize.mean(chains), within(1e-7));
        double[][] curved = ChainCases.changed(chains, Math::exp);
        assertThat(EffectiveSampleSize.bulk(curved)).isEqualTo(EffectiveSampleSize.bulk(chains));
        assertThat(EffectiveSampleSize.tail(curved)).isEqualTo(EffectiveSampleSize.tail(chains));
    }

    @Test
    void equalDrawsTellNothing() {
        double[][] equal = new double[2][20];
        Arrays.fill(equal[0], 0.1);
        Arrays.fill(equal[1], 0.1);
        assertThat(EffectiveSampleSize.plain(equal)).isNaN();
        assertThat(EffectiveSampleSize.mean(equal)).isNaN();
        assertThat(EffectiveSampleSize.bulk(equal)).isNaN();
        assertThat(EffectiveSampleSize.tail(equal)).isNaN();
        assertThat(MonteCarloError.ofMean(equal)).isNaN();
        double[][] moving = ChainCases.independent(Key.of(52), 2, 20);
        assertThat(EffectiveSampleSize.quantile(moving, 1)).isNaN();
    }

    @ParameterizedTest
    @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
    void whatIsNotFiniteMakesNaN(double bad) {
        for (int at : new int[] {0, 11}) {
            double[][] chains = ChainCases.independent(Key.of(53), 2, 12);
            chains[1][at] = bad;
            assertThat(EffectiveSampleSize.plain(chains)).isNaN();
            assertThat(EffectiveSampleSize.mean(chains)).isNaN();
            assertThat(EffectiveSampleSize.bulk(chains)).isNaN();
            assertThat(EffectiveSampleSize.tail(chains)).isNaN();
            assertThat(MonteCarloError.ofMean(chains)).isNaN();
        }
    }

    @Test
    void mistakesAreNamed() {
        double[][] chains = ChainCases.independent(Key.of(54), 2, 11);
        assertThatThrownBy(() -> EffectiveSampleSize.bulk(chains))
                .hasMessageContaining("draws must be at least 12, found 11");
        assertThatThrownBy(() -> of(1, 2, 3, 4, 5)).hasMessageContaining("draws must be at least 6, found 5");
        assertThatThrownBy(() -> MonteCarloError.ofMean(new double[0][]))
                .hasMessageContaining("chains must be at least 1, found 0");
        double[][] enough = ChainCases.independent(Key.of(54), 2, 12);
        assertThatThrownBy(() -> EffectiveSampleSize.quantile(enough, 1.5))
                .hasMessageContaining("p must lie between 0 and 1, found 1.5");
    }
}

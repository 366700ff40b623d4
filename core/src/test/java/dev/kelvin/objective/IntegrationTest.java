package dev.kelvin.objective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IntegrationTest {
    private static Integration of(double power, boolean fromPrior) {
        return new Integration(Integration.Mode.DETACHED, 10, power, 1, 0, false, fromPrior);
    }

    /** w₀ = t₁/2 = 10^−p/2, as docs/thermodynamic-integration.md has them. */
    @ParameterizedTest
    @CsvSource({"0.1, 0.397", "0.3, 0.251", "1, 0.050", "2, 0.005", "3, 0.0005"})
    void drawsOfThePriorWeighHalfTheFirstTemperature(double power, double weight) {
        assertThat(of(power, true).priorWeight()).isCloseTo(weight, within(0.0005 * Math.max(1, weight)));
        assertThat(of(power, true).priorWeight()).isCloseTo(Math.pow(10, -power) / 2, within(1e-12));
        assertThat(of(power, false).priorWeight()).isZero();
    }

    /** The others keep what they had. */
    @Test
    void leavesOutThePriorAlone() {
        double[] t = {0, 0.5, 0.75, 1};
        assertThat(of(1, true).weights(t)).containsExactly(0.25, 0.375, 0.25, 0.125);
        assertThat(of(1, false).weights(t)).containsExactly(0, 0.375, 0.25, 0.125);
    }

    @Test
    void refusesWhatIsNoLadder() {
        assertThatThrownBy(() -> new Integration(Integration.Mode.PAPER, 0, 1, 1, 0, false, true))
                .hasMessageContaining("count");
        assertThatThrownBy(() -> new Integration(Integration.Mode.PAPER, 1, 0, 1, 0, false, true))
                .hasMessageContaining("power");
        assertThatThrownBy(() -> new Integration(Integration.Mode.PAPER, 1, 1, -1, 0, false, true))
                .hasMessageContaining("eta");
    }
}

package dev.kelvin.objective;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class IntegrationTest {
    @Test
    void refusesWhatIsNoLadder() {
        assertThatThrownBy(() -> new Integration(Integration.Mode.PAPER, 0, 1, 1, 0, false))
                .hasMessageContaining("count");
        assertThatThrownBy(() -> new Integration(Integration.Mode.PAPER, 1, 0, 1, 0, false))
                .hasMessageContaining("power");
        assertThatThrownBy(() -> new Integration(Integration.Mode.PAPER, 1, 1, -1, 0, false))
                .hasMessageContaining("eta");
    }
}

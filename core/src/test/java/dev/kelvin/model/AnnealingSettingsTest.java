package dev.kelvin.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.model.AnnealingSettings.Schedule;
import dev.kelvin.part.SettingException;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AnnealingSettingsTest {
    private static final int TIMES = 5;

    private static AnnealingSettings weighted(Double... weights) {
        return new AnnealingSettings(Schedule.WEIGHTED, 3, 100, Optional.of(List.of(weights)));
    }

    @Test
    void sharesByHand() {
        assertThat(new AnnealingSettings(Schedule.BASIC, 3, 100).shares(1, TIMES))
                .containsExactly(0, 1, 0, 0, 0);
        assertThat(new AnnealingSettings(Schedule.SOFT, 3, 100).shares(1, TIMES))
                .containsExactly(0, 0.25, 0.25, 0.25, 0.25);
        assertThat(weighted(2.0, 1.0, 1.0).shares(1, TIMES)).containsExactly(0, 0.5, 0.25, 0.25, 0);
        assertThat(weighted(2.0, 1.0, 1.0).shares(3, TIMES))
                .containsExactly(new double[] {0, 0, 0, 2.0 / 3, 1.0 / 3}, within(1e-15));
    }

    /** One weight is basic annealing, and as many equal ones as there are times are soft; the end is always the data. */
    @Test
    void basicAndSoftAreSpecialCases() {
        AnnealingSettings one = weighted(7.0);
        AnnealingSettings equal = weighted(Collections.nCopies(TIMES, 1.0).toArray(Double[]::new));
        for (int n = 0; n < TIMES; n++) {
            assertThat(one.shares(n, TIMES))
                    .containsExactly(new AnnealingSettings(Schedule.BASIC, 3, 100).shares(n, TIMES));
            assertThat(equal.shares(n, TIMES))
                    .containsExactly(new AnnealingSettings(Schedule.SOFT, 3, 100).shares(n, TIMES), within(1e-15));
            assertThat(Arrays.stream(weighted(1.0, 0.0, 3.0).shares(n, TIMES)).sum())
                    .isCloseTo(1, within(1e-15));
        }
        assertThat(weighted(0.1, 5.0).shares(TIMES - 1, TIMES)).containsExactly(0, 0, 0, 0, 1);
    }

    @Test
    void refusesWeightsThatDoNotFit() {
        assertThatThrownBy(() -> new AnnealingSettings(Schedule.WEIGHTED, 3, 100))
                .isInstanceOf(SettingException.class)
                .hasMessage("weights are needed where the schedule is weighted, such as [1, 0.5, 0.25]");
        assertThatThrownBy(() -> new AnnealingSettings(Schedule.SOFT, 3, 100, Optional.of(List.of(1.0))))
                .hasMessage("weights are for schedule weighted, and it is soft");
        for (List<Double> wrong : List.of(List.<Double>of(), List.of(0.0, 1.0), List.of(1.0, -1.0))) {
            assertThatThrownBy(() -> new AnnealingSettings(Schedule.WEIGHTED, 3, 100, Optional.of(wrong)))
                    .hasMessageStartingWith("weights must begin with one above 0");
        }
    }
}

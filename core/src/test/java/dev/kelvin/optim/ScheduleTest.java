package dev.kelvin.optim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.SettingException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScheduleTest {
    private static final double ROUNDING = 1e-15;

    @ParameterizedTest
    @CsvSource({"0, 1", "9, 1", "10, .5", "19, .5", "20, .25", "99, .001953125"})
    void stepFallsAtOnce(long step, double factor) {
        assertThat(Schedule.step(10, 0.5).factor(step, 100)).isEqualTo(factor);
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "5, .7071067811865476", "10, .5", "20, .25"})
    void exponentialFallsSmoothly(long step, double factor) {
        assertThat(Schedule.exponential(10, 0.5).factor(step, 100)).isCloseTo(factor, within(ROUNDING));
    }

    /** .1 + .9 (1 + cos(π·step/60))/2, whose cosines are 1, √3/2, 1/2, 0, −1. */
    @ParameterizedTest
    @CsvSource({"0, 1", "10, .9397114317029975", "20, .775", "30, .55", "60, .1"})
    void cosineGoesFromOneToItsEnd(long step, double factor) {
        assertThat(Schedule.cosine(0.1).factor(step, 60)).isCloseTo(factor, within(ROUNDING));
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "50, 1", "75, .6", "100, .2"})
    void linearFallsLate(long step, double factor) {
        assertThat(Schedule.linear(0.5, 0.2).factor(step, 100)).isCloseTo(factor, within(ROUNDING));
    }

    @Test
    void linearFromTheEndNeverFalls() {
        assertThat(Schedule.linear(1, 0).factor(100, 100)).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"0, .25, .25", "1, .5, .5", "2, .75, .75", "3, 1, .5", "4, 1, .5", "6, 1, .25"})
    void warmupRisesLinearlyOnTopOfTheRest(long step, double alone, double withSteps) {
        assertThat(Schedule.constant().afterWarmup(4).factor(step, 100)).isEqualTo(alone);
        assertThat(Schedule.step(3, 0.5).afterWarmup(4).factor(step, 100)).isEqualTo(withSteps);
    }

    @Test
    void noWarmupIsNone() {
        assertThat(Schedule.constant().afterWarmup(0).factor(0, 100)).isEqualTo(1);
    }

    @Test
    void wrongSettingsAreNamed() {
        assertThatThrownBy(() -> Schedule.step(0, 0.5))
                .isInstanceOf(SettingException.class)
                .hasMessageContaining("every must");
        assertThatThrownBy(() -> Schedule.step(1, 0)).hasMessageContaining("factor must be above 0");
        assertThatThrownBy(() -> Schedule.exponential(0, 0.5)).hasMessageContaining("every must");
        assertThatThrownBy(() -> Schedule.exponential(1, Double.NaN)).hasMessageContaining("factor must be above 0");
        assertThatThrownBy(() -> Schedule.cosine(-0.1)).hasMessageContaining("end must lie between 0 and 1");
        assertThatThrownBy(() -> Schedule.linear(2, 0)).hasMessageContaining("from must lie between 0 and 1");
        assertThatThrownBy(() -> Schedule.linear(0, 2)).hasMessageContaining("end must lie between 0 and 1");
        assertThatThrownBy(() -> Schedule.constant().afterWarmup(-1)).hasMessageContaining("warmup must");
    }
}

package dev.kelvin.optim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.Mistakes;
import dev.kelvin.part.SettingException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScheduleTest {
    private static final double ROUNDING = 1e-15;

    @ParameterizedTest
    @CsvSource({"0, 1", "9, 1", "10, .5", "19, .5", "20, .25", "99, .001953125"})
    void stepFallsAtOnce(long step, double factor) {
        assertThat(new Schedule.Step(10, 0.5, 0, 0).factor(step, 100)).isEqualTo(factor);
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "5, .7071067811865476", "10, .5", "20, .25"})
    void exponentialFallsSmoothly(long step, double factor) {
        assertThat(new Schedule.Exponential(10, 0.5, 0, 0).factor(step, 100)).isCloseTo(factor, within(ROUNDING));
    }

    /** .1 + .9 (1 + cos(π·step/60))/2, whose cosines are 1, √3/2, 1/2, 0, −1. */
    @ParameterizedTest
    @CsvSource({"0, 1", "10, .9397114317029975", "20, .775", "30, .55", "60, .1"})
    void cosineGoesFromOneToItsEnd(long step, double factor) {
        assertThat(new Schedule.Cosine(0.1, 0).factor(step, 60)).isCloseTo(factor, within(ROUNDING));
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "50, 1", "75, .6", "100, .2"})
    void linearFallsLate(long step, double factor) {
        assertThat(new Schedule.Linear(0.5, 0.2, 0).factor(step, 100)).isCloseTo(factor, within(ROUNDING));
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "9, 1", "10, .5", "29, .5", "30, .25", "99, .25"})
    void milestonesFallAtEach(long step, double factor) {
        assertThat(new Schedule.Milestones(List.of(10, 30), 0.5, 0).factor(step, 100))
                .isEqualTo(factor);
    }

    @ParameterizedTest
    @CsvSource({"0, .25", "2, .375", "3, .5", "10, .5"})
    void milestonesMayFallWithinTheWarmup(long step, double factor) {
        assertThat(new Schedule.Milestones(List.of(1), 0.5, 4).factor(step, 100))
                .isEqualTo(factor);
    }

    @ParameterizedTest
    @CsvSource({"0, .25, .25", "1, .5, .5", "2, .75, .75", "3, 1, .5", "4, 1, .5", "6, 1, .25"})
    void warmupRisesLinearlyOnTopOfTheRest(long step, double alone, double withSteps) {
        assertThat(new Schedule.Constant(4).factor(step, 100)).isEqualTo(alone);
        assertThat(new Schedule.Step(3, 0.5, 0, 4).factor(step, 100)).isEqualTo(withSteps);
    }

    @Test
    void aDecayStopsAtItsFinalShare() {
        assertThat(new Schedule.Step(10, 0.5, 0.3, 0).factor(15, 100)).isEqualTo(0.5);
        assertThat(new Schedule.Step(10, 0.5, 0.3, 0).factor(95, 100)).isEqualTo(0.3);
        assertThat(new Schedule.Exponential(10, 0.5, 0.3, 0).factor(95, 100)).isEqualTo(0.3);
    }

    /** The share is of the whole rate, and a warm-up takes its part of that. */
    @ParameterizedTest
    @CsvSource({"0, .25", "1, .4", "2, .6", "3, .8", "9, .8"})
    void aWarmupRisesToTheFinalShare(long step, double factor) {
        assertThat(new Schedule.Step(1, 0.5, 0.8, 4).factor(step, 100)).isCloseTo(factor, within(ROUNDING));
    }

    @Test
    void noWarmupIsNone() {
        assertThat(new Schedule.Constant(0).factor(0, 100)).isEqualTo(1);
        assertThat(Schedule.constant().factor(99, 100)).isEqualTo(1);
    }

    @Test
    void wrongSettingsAreNamed() {
        assertThatThrownBy(() -> new Schedule.Step(0, 0.5, 0, 0))
                .isInstanceOf(SettingException.class)
                .hasMessageContaining("every must");
        assertThatThrownBy(() -> new Schedule.Step(1, 0, 0, 0)).hasMessageContaining("factor must be above 0");
        assertThatThrownBy(() -> new Schedule.Exponential(0, 0.5, 0, 0)).hasMessageContaining("every must");
        assertThatThrownBy(() -> new Schedule.Exponential(1, Double.NaN, 0, 0))
                .hasMessageContaining("factor must be above 0");
        assertThatThrownBy(() -> new Schedule.Cosine(-0.1, 0))
                .hasMessageContaining("finalShare must lie between 0 and 1");
        assertThatThrownBy(() -> new Schedule.Linear(1, 0, 0)).hasMessageContaining("from must");
        assertThatThrownBy(() -> new Schedule.Linear(0, 2, 0))
                .hasMessageContaining("finalShare must lie between 0 and 1");
        assertThatThrownBy(() -> new Schedule.Milestones(List.of(), 0.5, 0)).hasMessageContaining("at must");
        assertThatThrownBy(() -> new Schedule.Milestones(List.of(0, 2), 0.5, 0)).hasMessageContaining("at.0 must");
        assertThat(Mistakes.of(() -> new Schedule.Milestones(List.of(2, 2), 0, -1)))
                .containsExactly(
                        "at must rise, found [2, 2]",
                        "factor must be above 0, found 0",
                        "warmup must be at least 0, found -1");
        assertThatThrownBy(() -> new Schedule.Constant(-1)).hasMessageContaining("warmup must");
    }
}

package dev.kelvin.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.tensor.TooLargeException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class LadderTest {
    @Test
    void temperaturesRiseByAPower() {
        assertThat(Ladder.of(4, 2).t()).containsExactly(0, 1 / 16.0, 1 / 4.0, 9 / 16.0, 1);
    }

    @Test
    void moreTemperaturesThanMemoryHoldsAreRefused() {
        assertThatThrownBy(() -> Ladder.of(Integer.MAX_VALUE, 2)).isInstanceOf(TooLargeException.class);
    }

    @Test
    void trapezoidIsExactForLines() {
        double[] t = Ladder.of(7, 3).t();
        double[] e = Arrays.stream(t).map(x -> 3 - 2 * x).toArray();
        assertThat(new Ladder(t).integral(e)).isCloseTo(2, within(1e-12));
        assertThat(Arrays.stream(new Ladder(t).weights()).sum()).isCloseTo(1, within(1e-12));
    }

    @Test
    void slopesAreExactForLinesAndMeansBetweenThem() {
        Ladder ladder = new Ladder(0, 0.2, 0.5, 1);
        assertThat(ladder.slopes(3, 2.6, 2, 1)).containsExactly(new double[] {-2, -2, -2, -2}, within(1e-12));
        assertThat(ladder.slopes(0, 0.2, 0.2, 1.2)).containsExactly(new double[] {1, 0.5, 1, 2}, within(1e-12));
    }

    /** With a deviation of 1/√t̃ the integral is 2√t̃: equal steps of it are squares. */
    @Test
    void placesTemperaturesByTheDeviation() {
        double[] t = Ladder.of(400, 3).t();
        double[] deviations = Arrays.stream(t).map(x -> 1 / Math.sqrt(x + 0.01)).toArray();
        double[] placed = new Ladder(t).placed(deviations).t();
        double all = Math.sqrt(1.01) - 0.1;
        for (int i = 0; i <= 400; i += 50) {
            double root = 0.1 + all * i / 400;
            assertThat(placed[i]).isCloseTo(root * root - 0.01, within(1e-4));
        }
    }

    @Test
    void leavesTemperaturesWhereNothingIsKnown() {
        double[] t = Ladder.of(3, 2).t();
        assertThat(new Ladder(t).placed(0, 0, 0, 0).t()).containsExactly(t);
    }
}

package dev.kelvin.draw;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class AxisTest {
    @Test
    void placesAreByValueOrByLogarithm() {
        assertThat(new Axis("", 0, 8, false).place(2)).isEqualTo(0.25);
        assertThat(new Axis("", 0.01, 100, true).place(1)).isCloseTo(0.5, within(1e-15));
    }

    @Test
    void aLogarithmicAxisIsMarkedByPowersOfTenOrWhatLiesBetween() {
        assertThat(new Axis("", 1e-4, 10, true).ticks(6)).containsExactly(1e-4, 1e-3, 0.01, 0.1, 1, 10);
        assertThat(new Axis("", 1e-12, 1, true).ticks(4)).containsExactly(1e-12, 1e-8, 1e-4, 1);
        assertThat(new Axis("", 0.15, 3, true).ticks(6)).containsExactly(0.2, 0.5, 1, 2);
        assertThat(new Axis("", 1.1, 1.4, true).ticks(4)).hasSizeGreaterThan(1);
    }

    @Test
    void whatIsNotAboveZeroHasNoLogarithm() {
        assertThat(Axis.of("", new double[] {0.1, 1}, true, 0).logarithmic()).isTrue();
        assertThat(Axis.of("", new double[] {0, 1}, true, 0).logarithmic()).isFalse();
    }

    @Test
    void anyFiniteValuesHaveAnAxis() {
        for (double[] values : new double[][] {{}, {0}, {1e308, -1e308}, {4.9e-324}, {Double.NaN, 3}, {1e308}}) {
            Axis axis = Axis.of("", values, false, Axis.ROOM);
            assertThat(axis.low()).isLessThan(axis.high());
            assertThat(axis.ticks(6).length).isBetween(1, 14);
        }
    }

    /** 30 names of one length stand in 4 to 10 rows: no more than 9 are as wide as the chart, and 3 are not. */
    @Test
    void aLegendHasAsManyRowsAsItNeeds() {
        Canvas canvas = new Canvas(1, 1);
        assertThat(canvas.legend(List.of(), 0, 760)).isZero();
        assertThat(canvas.legend(Collections.nCopies(30, "chain 12"), 0, 760))
                .isBetween(4 * Canvas.LINE_HEIGHT, 10 * Canvas.LINE_HEIGHT);
        assertThat(canvas.legend(List.of("a".repeat(300), "b"), 0, 760)).isEqualTo(2 * Canvas.LINE_HEIGHT);
    }
}

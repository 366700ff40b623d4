package dev.kelvin.draw;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.awt.image.BufferedImage;
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

    /** Of 30 names of one length no row is wider than the chart, and none is left out. */
    @Test
    void aLegendHasAsManyRowsAsItNeeds() {
        BufferedImage image = new BufferedImage(1, 1, BufferedImage.TYPE_INT_RGB);
        List<List<Integer>> rows = Chart.rows(image.createGraphics(), Collections.nCopies(30, "chain 12"), 760);
        assertThat(rows.size()).isGreaterThan(2);
        assertThat(rows.stream().flatMap(List::stream)).hasSize(30).isSorted();
        assertThat(rows.get(0).size()).isBetween(3, 9);
        assertThat(Chart.rows(image.createGraphics(), List.of("a".repeat(300), "b"), 760))
                .containsExactly(List.of(0), List.of(1));
    }
}

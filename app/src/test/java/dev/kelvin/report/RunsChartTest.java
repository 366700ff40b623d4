package dev.kelvin.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.draw.Series;
import java.util.List;
import org.junit.jupiter.api.Test;

class RunsChartTest {
    private static RunsChart chart(boolean logarithmic, RunsChart.Group... groups) {
        return new RunsChart("a", "b", "x", "y", logarithmic, List.of(groups));
    }

    private static RunsChart.Group at(String name, double x, double... y) {
        double[] places = new double[y.length];
        java.util.Arrays.fill(places, x);
        return new RunsChart.Group(name, places, y);
    }

    @Test
    void runsAtOnePlaceAreABox() {
        assertThat(RunsChart.Summary.of(at("a", 25, 5, 1, 2, 4, 3)))
                .isEqualTo(new RunsChart.Summary("a", 25, 0, 3, 1, 5, 2, 4));
    }

    @Test
    void othersAreMeansWithDeviations() {
        RunsChart.Summary group =
                RunsChart.Summary.of(new RunsChart.Group("a", new double[] {1, 3}, new double[] {10, 14}));
        assertThat(group.middle()).isEqualTo(12);
        assertThat(group.high()).isCloseTo(12 + Math.sqrt(8), within(1e-12));
        assertThat(group.x() - group.aside()).isCloseTo(2 - Math.sqrt(2), within(1e-12));
    }

    @Test
    void groupsAreInThePageWithTheirNumbers() {
        Html html = new Html();
        chart(false, at("a", 25, 5, 1, 2, 4, 3), at("b", 25, 7)).write(html);
        assertThat(html.toString()).contains("<title>a 3 (1 to 5)\nb 7 (7 to 7)</title>");
    }

    /** y = log₁₀(x)²: a parabola of the logarithm. */
    @Test
    void theCurveIsAQuadraticRegression() {
        Series line = chart(true, at("a", 0.1, 1, 1), at("b", 1, 0, 0), at("c", 100, 4, 4))
                .parabola();
        Series.Point middle = line.points().get(40); // two thirds of the way from 0.1 to 100
        assertThat(middle.step()).isCloseTo(10, within(1e-9));
        assertThat(middle.value()).isCloseTo(1, within(1e-9));
    }

    @Test
    void whatWasNotMeasuredIsLeftOut() {
        RunsChart chart = chart(false, at("a", 1, Double.NaN), at("b", 2, 1));
        assertThat(chart.groups()).hasSize(1);
    }
}

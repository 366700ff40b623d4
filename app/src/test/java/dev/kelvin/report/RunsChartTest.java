package dev.kelvin.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

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
        JsonNode value = chart(false, at("a", 25, 5, 1, 2, 4, 3))
                .vegaLite()
                .path("data")
                .path("values")
                .path(0);
        assertThat(value.path("low").asDouble()).isEqualTo(1);
        assertThat(value.path("q1").asDouble()).isEqualTo(2);
        assertThat(value.path("middle").asDouble()).isEqualTo(3);
        assertThat(value.path("q3").asDouble()).isEqualTo(4);
        assertThat(value.path("high").asDouble()).isEqualTo(5);
    }

    @Test
    void othersAreMeansWithDeviations() {
        JsonNode value = chart(false, new RunsChart.Group("a", new double[] {1, 3}, new double[] {10, 14}))
                .vegaLite()
                .path("data")
                .path("values")
                .path(0);
        assertThat(value.path("middle").asDouble()).isEqualTo(12);
        assertThat(value.path("high").asDouble()).isCloseTo(12 + Math.sqrt(8), within(1e-12));
        assertThat(value.path("left").asDouble()).isCloseTo(2 - Math.sqrt(2), within(1e-12));
    }

    /** y = log₁₀(x)²: a parabola of the logarithm. */
    @Test
    void theCurveIsAQuadraticRegression() {
        JsonNode line = chart(true, at("a", 0.1, 1, 1), at("b", 1, 0, 0), at("c", 100, 4, 4))
                .vegaLite()
                .path("layer")
                .path(0);
        assertThat(line.path("mark").path("type").asString("")).isEqualTo("line");
        JsonNode middle = line.path("data").path("values").path(40); // two thirds of the way from 0.1 to 100
        assertThat(middle.path("x").asDouble()).isCloseTo(10, within(1e-9));
        assertThat(middle.path("middle").asDouble()).isCloseTo(1, within(1e-9));
    }

    @Test
    void whatWasNotMeasuredIsLeftOut() {
        RunsChart chart = chart(false, at("a", 1, Double.NaN), at("b", 2, 1));
        assertThat(chart.groups()).hasSize(1);
    }
}

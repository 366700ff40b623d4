package dev.kelvin.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kelvin.draw.Chart;
import dev.kelvin.draw.Series;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class CurvesTest {
    @Test
    void theChartInThePageIsJsonWithTheData() {
        Curves curves = new Curves("Loss", "Falls.", series("loss", 3, 2, 1.5), series("f₊ − f₋", 0.1, 0.2, 1.0 / 3));
        JsonNode values = chartIn(html(curves)).path("data").path("values");
        assertThat(values.size()).isEqualTo(6);
        assertThat(values.path(0).toString()).isEqualTo("{\"series\":\"loss\",\"step\":0,\"value\":3}");
        assertThat(values.path(5).path("series").asString()).isEqualTo("f₊ − f₋");
        assertThat(values.path(5).path("value").asDouble()).isEqualTo(0.333333);
    }

    @Test
    void aNameCannotEndItsScript() {
        String name = "</script><script>alert(1)</script><!--";
        String html = html(new Curves(name, name, series(name, 1, 2)));
        assertThat(html.split("</script", -1)).hasSize(2);
        assertThat(html).doesNotContain("<!--").contains("&lt;!--");
        assertThat(chartIn(html)
                        .path("data")
                        .path("values")
                        .path(0)
                        .path("series")
                        .asString())
                .isEqualTo(name);
    }

    @Test
    void whatIsNotFiniteIsAGapAndSaidSo() {
        Curves curves = new Curves("f", "", series("f", 1, Double.NaN, Double.POSITIVE_INFINITY, 2));
        JsonNode values = chartIn(html(curves)).path("data").path("values");
        assertThat(values.path(1).path("value").isNull()).isTrue();
        assertThat(values.path(2).path("value").isNull()).isTrue();
        assertThat(html(curves)).contains("“f” is not a finite number at 2 of 4 steps: its line has gaps there.");
    }

    @Test
    void withoutValuesThereIsASentenceInsteadOfAChart() {
        assertThat(html(new Curves("f", "")).replace('\n', ' '))
                .contains("Nothing was recorded.")
                .doesNotContain("chart");
        assertThat(html(new Curves("f", "", series("f", Double.NaN)))).contains("Nothing was recorded.");
    }

    @Test
    void nothingCanBeDrawnToo() {
        assertThat(CurveChart.drawn(new Curves("f", "")).width()).isEqualTo(Chart.WIDTH);
        assertThat(CurveChart.drawn(new Curves("f", "", series("f", Double.NaN, Double.NaN)))
                        .width())
                .isEqualTo(Chart.WIDTH);
    }

    /** Without scripts, be they switched off or blocked, the picture is what there is: it is no part of a noscript. */
    @Test
    void thePictureIsThereBeforeAnyScript() {
        assertThat(html(new Curves("Loss", "Falls.", series("loss", 3, 2, 1.5))))
                .contains("<img src=\"data:image/png;base64,", "Loss by step: loss ends at 1.5")
                .doesNotContain("noscript");
    }

    @Test
    void axesSayWhatTheyMeasure() {
        Curves one = new Curves("How it went", "", "draw", List.of(series("x₁", 1, 2)));
        JsonNode axes = chartIn(html(one)).path("encoding");
        assertThat(axes.path("x").path("title").asString()).isEqualTo("draw");
        assertThat(axes.path("y").path("title").asString()).isEqualTo("x₁");
        JsonNode measured = chartIn(html(one.measuring("metres"))).path("encoding");
        assertThat(measured.path("y").path("title").asString()).isEqualTo("metres");
    }

    @Test
    void onlyWhatIsAboveZeroHasALogScale() {
        Curves above = new Curves("KL", "", series("kl", 1, 0.1, 0.01)).onLogScale();
        Curves not = new Curves("KL", "", series("kl", 1, 0.1, 0)).onLogScale();
        assertThat(scale(above).path("type").asString("")).isEqualTo("log");
        assertThat(scale(not).has("type")).isFalse();
    }

    private static JsonNode scale(Curves curves) {
        return chartIn(html(curves)).path("encoding").path("y").path("scale");
    }

    /** "chain 1" has seven letters: 34 + 7 · 7 pixels a column, so that beside an axis in 475 pixels there are five. */
    @Test
    void aLegendHasAsManyColumnsAsFit() {
        Series[] six = IntStream.rangeClosed(1, 6)
                .mapToObj(i -> series("chain " + i, i, i + 1))
                .toArray(Series[]::new);
        JsonNode legend = chartIn(html(new Curves("Trace", "", six)))
                .path("encoding")
                .path("color")
                .path("legend");
        assertThat(legend.path("columns").path("expr").asString())
                .isEqualTo("max(1, floor((containerSize()[0] - 60 + 0 * width) / 83))");
    }

    @Test
    void stepsAreExactAndASingleValueIsADot() {
        Curves one = new Curves("f", "", Series.of("f", new double[] {12_345_678}, new double[] {1}));
        JsonNode chart = chartIn(html(one));
        assertThat(chart.path("data").path("values").path(0).path("step").asDouble())
                .isEqualTo(12_345_678);
        assertThat(chart.path("layer").path(0).path("mark").path("point").asBoolean())
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 1, -1e308, 1e308, 4.9e-324})
    void anyFiniteValueCanBeDrawn(double value) {
        Curves one = new Curves("one", "", series("f", value));
        Curves two = new Curves("two", "", series("f", value, -value, Double.NaN));
        for (Curves curves : List.of(one, two, one.onLogScale(), two.onLogScale())) {
            assertThat(CurveChart.drawn(curves).width()).isEqualTo(Chart.WIDTH);
        }
    }

    @Test
    void aLongCurveKeepsItsPeaksGapsAndEnds() {
        double[] values = new double[100_000];
        values[0] = 0.5;
        values[33_333] = 7;
        values[44_444] = -7;
        values[55_555] = Double.NaN;
        values[99_999] = 0.25;
        Series thinned = series("f", values).thinned(1000);
        assertThat(thinned.points())
                .hasSizeLessThan(1010)
                .contains(
                        new Series.Point(0, 0.5),
                        new Series.Point(33_333, 7),
                        new Series.Point(44_444, -7),
                        new Series.Point(55_555, Double.NaN),
                        new Series.Point(99_999, 0.25));
        assertThat(thinned.points()).isSortedAccordingTo((a, b) -> Double.compare(a.step(), b.step()));
    }

    @Test
    void theMeansOfAStraightLineLieOnIt() {
        Series line =
                series("f", IntStream.range(0, 1000).mapToDouble(i -> 3 * i).toArray());
        assertThat(line.isDense()).isTrue();
        assertThat(line.smoothed().points())
                .hasSize(200)
                .allSatisfy(p -> assertThat(p.value()).isCloseTo(3 * p.step(), rounding()));
    }

    @Test
    void theMeanOfHugeValuesIsFinite() {
        double[] values = new double[1000];
        Arrays.fill(values, 1e308);
        assertThat(series("f", values).smoothed().gaps()).isZero();
    }

    @Test
    void mistakesAreRefusedInWords() {
        assertThatThrownBy(() -> Series.of("f", new double[2], new double[3]))
                .hasMessage("curve 'f' has 3 values for 2 steps; expected one value a step");
        assertThatThrownBy(() -> new Curves("Loss", "", series("f", 1), series("f", 2)))
                .hasMessage("chart 'Loss' has two curves of one name; rename one of [f, f]");
    }

    /** Sums of 21 doubles up to 3000: a few dozen units in the last place. */
    private static Offset<Double> rounding() {
        return Offset.offset(1e-9);
    }

    private static Series series(String name, double... values) {
        return Series.of(
                name, IntStream.range(0, values.length).asDoubleStream().toArray(), values);
    }

    private static String html(Curves curves) {
        Html html = new Html();
        curves.write(html);
        return html.toString();
    }

    private static JsonNode chartIn(String html) {
        String start = "<script type=\"application/json\">";
        int from = html.indexOf(start) + start.length();
        return new JsonMapper().readTree(html.substring(from, html.indexOf("</script>", from)));
    }
}

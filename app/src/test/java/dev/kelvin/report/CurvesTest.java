package dev.kelvin.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.draw.Chart;
import dev.kelvin.draw.Series;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CurvesTest {
    @Test
    void theValuesOfEachStepAreInThePage() {
        Curves curves =
                new Curves("Loss", "Falls.", List.of(series("loss", 3, 2, 1.5), series("f₊ − f₋", 0.1, 0.2, 1.0 / 3)));
        assertThat(html(curves))
                .contains(
                        "<title>step 0\nloss: 3\nf₊ − f₋: 0.1</title>",
                        "<title>step 1\nloss: 2\nf₊ − f₋: 0.2</title>",
                        "<title>step 2\nloss: 1.5\nf₊ − f₋: 0.333333</title>");
    }

    /** Each place's strip begins where the one before it ends, and the last ends with the axis. */
    @Test
    void eachPlaceHasTheStripThatIsNearestToIt() {
        List<Chart.Note> notes = new Curves("a", "", List.of(Series.of("f", new double[3], i -> i * i)))
                .drawn()
                .notes();
        assertThat(notes).extracting(Chart.Note::words).containsExactly("step 0\nf: 0", "step 1\nf: 0", "step 4\nf: 0");
        int axis = notes.stream().mapToInt(Chart.Note::width).sum();
        assertThat(notes.get(1).left())
                .isEqualTo(notes.get(0).left() + notes.get(0).width());
        assertThat(notes.get(2).left())
                .isEqualTo(notes.get(1).left() + notes.get(1).width());
        assertThat((double) notes.get(0).width()).isCloseTo(axis / 8.0, within(1.0));
        assertThat((double) notes.get(2).width()).isCloseTo(3 * axis / 8.0, within(1.0));
    }

    @Test
    void aLongCurveHasTheValuesOfAHundredSteps() {
        List<Chart.Note> notes = new Curves("a", "", List.of(series("f", new double[10_000])))
                .drawn()
                .notes();
        assertThat(notes).hasSize(100);
        assertThat(notes.get(0).words()).startsWith("step 0\n");
        assertThat(notes.get(99).words()).startsWith("step 9999\n");
    }

    @Test
    void whatIsNotFiniteIsAGapAndSaidSo() {
        Curves curves = new Curves("f", "", List.of(series("f", 1, Double.NaN, Double.POSITIVE_INFINITY, 2)));
        assertThat(curves.drawn().notes())
                .extracting(Chart.Note::words)
                .containsExactly("step 0\nf: 1", "step 3\nf: 2");
        assertThat(html(curves)).contains("“f” is not a finite number at 2 of 4 steps: its line has gaps there.");
    }

    @Test
    void withoutValuesThereIsASentenceInsteadOfAChart() {
        assertThat(html(new Curves("f", "", List.of())).replace('\n', ' '))
                .contains("Nothing was recorded.")
                .doesNotContain("chart");
        assertThat(html(new Curves("f", "", List.of(series("f", Double.NaN))))).contains("Nothing was recorded.");
    }

    @Test
    void nothingCanBeDrawnToo() {
        assertThat(new Curves("f", "", List.of()).drawn().png().width()).isEqualTo(Chart.WIDTH);
        assertThat(new Curves("f", "", List.of(series("f", Double.NaN, Double.NaN)))
                        .drawn()
                        .png()
                        .width())
                .isEqualTo(Chart.WIDTH);
    }

    @Test
    void chartsNeedNoScript() {
        assertThat(html(new Curves("Loss", "Falls.", List.of(series("loss", 3, 2, 1.5)))))
                .contains("<img src=\"data:image/png;base64,", "Loss by step: loss ends at 1.5")
                .doesNotContain("script");
    }

    @Test
    void axesSayWhatTheyMeasure() {
        Curves one = new Curves("How it went", "", List.of(series("x₁", 1, 2)));
        assertThat(one.up()).isEqualTo("x₁");
        assertThat(html(one)).contains("<title>step 0\nx₁: 1</title>");
    }

    @Test
    void stepsAreExact() {
        Curves one = new Curves("f", "", List.of(Series.of("f", new double[] {1}, i -> 12_345_678)));
        assertThat(one.drawn().notes().get(0).words()).isEqualTo("step 12345678\nf: 1");
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 1, -1e308, 1e308, 4.9e-324})
    void anyFiniteValueCanBeDrawn(double value) {
        Curves one = new Curves("one", "", List.of(series("f", value)));
        Curves two = new Curves("two", "", List.of(series("f", value, -value, Double.NaN)));
        for (Curves curves : List.of(one, two, one.onLogScale(), two.onLogScale())) {
            assertThat(curves.drawn().png().width()).isEqualTo(Chart.WIDTH);
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

    /** Sums of 21 doubles up to 3000: a few dozen units in the last place. */
    private static Offset<Double> rounding() {
        return Offset.offset(1e-9);
    }

    private static Series series(String name, double... values) {
        return Series.of(name, values, i -> i);
    }

    private static String html(Curves curves) {
        Html html = new Html();
        curves.write(html);
        return html.toString();
    }
}

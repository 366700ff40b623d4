package dev.kelvin.report;

import dev.kelvin.draw.Axis;
import dev.kelvin.draw.Chart;
import dev.kelvin.draw.Numbers;
import dev.kelvin.draw.Series;
import dev.kelvin.part.Words;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Curves in one chart, most of them over training steps.
 *
 * @param logarithmic whether the vertical axis is to be, which it is where all values are above 0
 */
public record Curves(
        String title, String explanation, String across, String up, boolean logarithmic, List<Series> series)
        implements Block {
    private static final int MOST_NOTES = 100;

    public Curves {
        series = List.copyOf(series);
    }

    /** Curves on an ordinary vertical axis. */
    public Curves(String title, String explanation, String across, String up, List<Series> series) {
        this(title, explanation, across, up, false, series);
    }

    /** Curves over steps; one alone is what the vertical axis measures. */
    public Curves(String title, String explanation, List<Series> series) {
        this(title, explanation, "step", series.size() == 1 ? series.get(0).name() : "", series);
    }

    /** These curves on a logarithmic vertical axis, if all values are above 0. */
    public Curves onLogScale() {
        return new Curves(title, explanation, across, up, true, series);
    }

    @Override
    public void write(Html html) {
        drawn().write(html);
    }

    /** The chart with axes, a legend, and the values by step. */
    public ChartFigure drawn() {
        Axis x = Axis.of(across, values(Series.Point::step), false, 0);
        Axis y = Axis.of(up, values(Series.Point::value), logarithmic, Axis.ROOM);
        Chart chart = new Chart(x, y, series.stream().map(Series::name).toList());
        for (int i = 0; i < series.size(); i++) {
            chart.curve(series.get(i), i);
        }
        addNotes(chart);
        return new ChartFigure(title, chart.png(), chart.notes(), alt(), caption());
    }

    private double[] values(ToDoubleFunction<Series.Point> of) {
        return series.stream()
                .flatMap(curve -> curve.points().stream())
                .filter(Series.Point::isFinite)
                .mapToDouble(of)
                .toArray();
    }

    /** The values of all curves at the same step, at up to {@value #MOST_NOTES} steps. */
    private void addNotes(Chart chart) {
        double[] steps =
                Arrays.stream(values(Series.Point::step)).sorted().distinct().toArray();
        int count = Math.min(MOST_NOTES, steps.length);
        for (int i = 0; i < count; i++) {
            double step = steps[(int) ((steps.length - 1L) * i / Math.max(1, count - 1))];
            chart.note(
                    step,
                    across + " " + BigDecimal.valueOf(step).stripTrailingZeros().toPlainString());
            series.forEach(curve -> curve.points().stream()
                    .filter(point -> Double.compare(point.step(), step) == 0)
                    .forEach(point -> chart.note(step, curve.name() + ": " + Numbers.onAxis(point.value()))));
        }
    }

    /** Whether the curves are shown as running means in front of their pale values. */
    private boolean isDense() {
        return series.stream().anyMatch(Series::isDense);
    }

    private String alt() {
        return title + " by " + across + ": "
                + series.stream().map(Curves::lastInWords).collect(Collectors.joining("; "));
    }

    private static String lastInWords(Series curve) {
        int size = curve.points().size();
        return size == 0
                ? curve.name() + " has no values"
                : curve.name() + " ends at "
                        + Numbers.forPeople(curve.points().get(size - 1).value());
    }

    private String caption() {
        String means = isDense() ? "Bold lines are running means over 2 % of the steps." : "";
        return Stream.of(explanation, gapsInWords(), means)
                .filter(sentence -> !sentence.isEmpty())
                .collect(Collectors.joining(" "));
    }

    private String gapsInWords() {
        return series.stream()
                .filter(curve -> curve.gaps() > 0)
                .map(curve -> Words.say(
                        "“%s” is not a finite number at %s of %s steps: its line has gaps there.",
                        curve.name(),
                        Numbers.forPeople(curve.gaps()),
                        Numbers.forPeople(curve.points().size())))
                .collect(Collectors.joining(" "));
    }
}

package dev.kelvin.report;

import dev.kelvin.diagnostic.ChainDraws;
import dev.kelvin.draw.Axis;
import dev.kelvin.draw.Chart;
import dev.kelvin.draw.Numbers;
import dev.kelvin.draw.Series;
import dev.kelvin.math.Quadratic;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

/**
 * A figure of groups of runs against another or against a setting, and the parabola of least squares through all runs. A
 * group whose runs lie at one place is a box (quartiles, median and range), any other a mean with standard deviations.
 *
 * @param logarithmic whether the horizontal axis is; the parabola is one of the logarithm then
 */
public record RunsChart(
        String title, String explanation, String across, String up, boolean logarithmic, List<Group> groups)
        implements Block {
    private static final int PLACES = 60; // of the parabola's line
    private static final double ROOM = 0.15; // for boxes and names

    /** Runs that differ in their seed: where each lies. */
    public record Group(String name, double[] x, double[] y) {
        private boolean known() {
            return x.length > 0
                    && Arrays.stream(x).allMatch(Double::isFinite)
                    && Arrays.stream(y).allMatch(Double::isFinite);
        }
    }

    public RunsChart {
        groups = groups.stream().filter(Group::known).toList();
    }

    @Override
    public void write(Html html) {
        drawn().write(html);
    }

    private ChartFigure drawn() {
        List<Summary> all = groups.stream().map(Summary::of).toList();
        Axis x =
                Axis.of(across, ends(all, each -> each.x - each.aside, each -> each.x + each.aside), logarithmic, ROOM);
        Axis y = Axis.of(up, ends(all, Summary::low, Summary::high), false, ROOM);
        Chart chart = new Chart(x, y, List.of());
        chart.curve(parabola(), 1);
        for (Summary each : all) {
            chart.line(each.x, each.low, each.x, each.high, 0);
            chart.line(each.x - each.aside, each.middle, each.x + each.aside, each.middle, 0);
            if (each.q1 < each.q3) {
                chart.box(each.x, each.q1, each.middle, each.q3, 0);
            } else {
                chart.dot(each.x, each.middle, 0);
            }
            chart.note(each.x, each.words());
        }
        all.forEach(each -> chart.name(each.name, each.x, each.high));
        String alt =
                up + " by " + across + ": " + all.stream().map(Summary::words).collect(Collectors.joining("; "));
        return new ChartFigure(title, chart.png(), chart.notes(), alt, explanation);
    }

    private static double[] ends(List<Summary> all, ToDoubleFunction<Summary> low, ToDoubleFunction<Summary> high) {
        return all.stream()
                .flatMapToDouble(each -> DoubleStream.of(low.applyAsDouble(each), high.applyAsDouble(each)))
                .toArray();
    }

    /** What is drawn of a group: the middle, the box or the point, and how far it reaches. */
    record Summary(String name, double x, double aside, double middle, double low, double high, double q1, double q3) {
        static Summary of(Group group) {
            double x = ChainDraws.mean(group.x);
            if (Arrays.stream(group.x).distinct().count() == 1) {
                double[] y = Arrays.stream(group.y).sorted().toArray();
                double median = ChainDraws.quantile(y, 0.5);
                double q1 = ChainDraws.quantile(y, 0.25);
                double q3 = ChainDraws.quantile(y, 0.75);
                return new Summary(group.name, x, 0, median, y[0], y[y.length - 1], q1, q3);
            }
            double aside = deviation(group.x);
            double mean = ChainDraws.mean(group.y);
            double reach = deviation(group.y);
            return new Summary(group.name, x, aside, mean, mean - reach, mean + reach, mean, mean);
        }

        private String words() {
            return name + " " + Numbers.forPeople(middle) + " (" + Numbers.forPeople(low) + " to "
                    + Numbers.forPeople(high) + ")";
        }
    }

    /** The parabola's points; none where there are not enough places for one. */
    Series parabola() {
        List<Series.Point> points = new ArrayList<>();
        if (groups.size() >= Quadratic.FEWEST) {
            double[] x = groups.stream()
                    .flatMapToDouble(group -> Arrays.stream(group.x))
                    .map(value -> logarithmic ? Math.log10(value) : value)
                    .toArray();
            double[] y = groups.stream()
                    .flatMapToDouble(group -> Arrays.stream(group.y))
                    .toArray();
            Quadratic fitted = Quadratic.through(x, y);
            double low = Arrays.stream(x).min().orElseThrow();
            double high = Arrays.stream(x).max().orElseThrow();
            for (int i = 0; i <= PLACES; i++) {
                double at = low + (high - low) * i / PLACES;
                points.add(new Series.Point(logarithmic ? Math.pow(10, at) : at, fitted.at(at)));
            }
        }
        return new Series("quadratic regression", points);
    }

    private static double deviation(double[] values) {
        return values.length < 2 ? 0 : Math.sqrt(ChainDraws.variance(values));
    }
}

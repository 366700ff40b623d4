package dev.kelvin.report;

import dev.kelvin.draw.Axis;
import dev.kelvin.draw.Chart;
import dev.kelvin.draw.Numbers;
import dev.kelvin.draw.Png;
import dev.kelvin.draw.Series;
import dev.kelvin.math.Quadratic;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A figure of groups of runs against another or against a setting, and the parabola of least squares through all runs. A
 * group whose runs lie at one place is a box (quartiles, median and range), another a mean with standard deviations.
 *
 * @param across what the horizontal axis is
 * @param up what the vertical axis is
 * @param logarithmic whether the horizontal axis is; the parabola is one of the logarithm then
 */
public record RunsChart(
        String title, String explanation, String across, String up, boolean logarithmic, List<Group> groups)
        implements Block {
    private static final int HEIGHT = 260;
    private static final int BOX = 18; // pixels across
    private static final int PLACES = 60; // of the parabola's line
    private static final double ROOM = 0.15; // for boxes and names

    /** Runs that differ in their seed: where each lies. */
    public record Group(String name, double[] x, double[] y) {
        private boolean box() {
            return Arrays.stream(x).distinct().count() == 1;
        }

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
        if (groups.isEmpty()) {
            ChartFigure.writeNothing(html, title, explanation);
        } else {
            ChartFigure.write(html, title, vegaLite(), alt(), drawn(), explanation);
        }
    }

    /** The chart as a picture. */
    private Png drawn() {
        List<Summary> all = groups.stream().map(Summary::of).toList();
        Axis x = Axis.of(across, ends(all, Summary::left, Summary::right), logarithmic, ROOM);
        Axis y = Axis.of(up, ends(all, Summary::low, Summary::high), false, ROOM);
        try (Chart chart = new Chart(x, y, List.of())) {
            chart.curve(parabola(), 1, Chart.Weight.PLAIN);
            for (Summary each : all) {
                chart.line(each.x, each.low, each.x, each.high, 0);
                chart.line(each.left, each.middle, each.right, each.middle, 0);
                if (each.q1 < each.q3) {
                    chart.box(each.x, each.q1, each.middle, each.q3, 0);
                } else {
                    chart.dot(each.x, each.middle, 0);
                }
            }
            all.forEach(each -> chart.name(each.name, each.x, each.high));
            return chart.png();
        }
    }

    private static double[] ends(List<Summary> all, ToDoubleFunction<Summary> low, ToDoubleFunction<Summary> high) {
        return all.stream()
                .flatMapToDouble(each -> DoubleStream.of(low.applyAsDouble(each), high.applyAsDouble(each)))
                .toArray();
    }

    /** The chart as a Vega-Lite specification, in the page's colours. */
    ObjectNode vegaLite() {
        ObjectNode chart = ChartFigure.chart(alt(), HEIGHT);
        ArrayNode values = ChartFigure.values(chart);
        groups.forEach(group -> Summary.of(group).write(values.addObject()));
        ArrayNode layers = chart.putArray("layer");
        curve(layers);
        layer(layers, "rule", "x", "low").put("strokeWidth", 1.5);
        ObjectNode box = layer(layers, "bar", "x", "q1").put("size", BOX).put("fillOpacity", Curves.PALE);
        box.put("stroke", "var(--series-1)");
        layer(layers, "rule", "left", "middle").put("strokeWidth", 1.5);
        layer(layers, "tick", "x", "middle")
                .put("orient", "horizontal")
                .put("size", BOX)
                .put("thickness", 2);
        ObjectNode point = layer(layers, "point", "x", "middle").put("filled", true);
        point.put("size", 30).put("tooltip", true);
        ObjectNode name = layer(layers, "text", "x", "high").put("dy", -8).put("fontSize", 11);
        name.put("color", "var(--ink)");
        return chart;
    }

    /** What is drawn of a group: the middle, the box or the point, and how far it reaches. */
    private record Summary(
            String name,
            double x,
            double left,
            double right,
            double middle,
            double low,
            double high,
            double q1,
            double q3) {
        static Summary of(Group group) {
            boolean box = group.box();
            double x = mean(group.x);
            double aside = box ? 0 : deviation(group.x);
            double middle = box ? quantile(group.y, 0.5) : mean(group.y);
            double reach = deviation(group.y);
            return new Summary(
                    group.name,
                    x,
                    x - aside,
                    x + aside,
                    middle,
                    box ? quantile(group.y, 0) : middle - reach,
                    box ? quantile(group.y, 1) : middle + reach,
                    box ? quantile(group.y, 0.25) : middle,
                    box ? quantile(group.y, 0.75) : middle);
        }

        void write(ObjectNode value) {
            value.put("name", name).put("x", x).put("middle", middle);
            value.put("low", low).put("high", high).put("q1", q1).put("q3", q3);
            value.put("left", left).put("right", right);
        }
    }

    private ObjectNode layer(ArrayNode layers, String type, String x, String y) {
        ObjectNode layer = layers.addObject();
        ObjectNode mark = layer.putObject("mark").put("type", type).put("color", "var(--series-1)");
        ObjectNode encoding = layer.putObject("encoding");
        axis(encoding.putObject("x").put("field", x), across);
        scale(encoding.path("x"), logarithmic);
        axis(encoding.putObject("y").put("field", y), up);
        scale(encoding.path("y"), false);
        switch (type) {
            case "bar" -> encoding.putObject("y2").put("field", "q3");
            case "text" -> encoding.putObject("text").put("field", "name");
            case "rule" -> {
                if (x.equals("left")) {
                    encoding.putObject("x2").put("field", "right");
                } else {
                    encoding.putObject("y2").put("field", "high");
                }
            }
            default -> {}
        }
        return mark;
    }

    private static void axis(ObjectNode channel, String axis) {
        channel.put("type", "quantitative").put("title", axis);
    }

    private static void scale(tools.jackson.databind.JsonNode channel, boolean log) {
        ObjectNode scale = ((ObjectNode) channel).putObject("scale");
        if (log) {
            scale.put("type", "log");
        } else {
            scale.put("zero", false);
        }
        scale.put("padding", 2 * BOX).put("nice", false);
    }

    /** The parabola's layer, where there are enough places for one. */
    private void curve(ArrayNode layers) {
        Series line = parabola();
        if (line.points().isEmpty()) {
            return;
        }
        ObjectNode mark =
                layer(layers, "line", "x", "middle").put("strokeWidth", 2).put("color", "var(--series-2)");
        mark.put("interpolate", "monotone");
        ArrayNode values = ChartFigure.values((ObjectNode) layers.path(layers.size() - 1));
        line.points().forEach(point -> values.addObject().put("x", point.step()).put("middle", point.value()));
    }

    /** The parabola's points; none where there are not enough places for one. */
    private Series parabola() {
        List<Series.Point> points = new ArrayList<>();
        if (groups.size() >= Quadratic.FEWEST) {
            double[] x = groups.stream()
                    .flatMapToDouble(group -> Arrays.stream(group.x))
                    .map(this::seen)
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

    private double seen(double x) {
        return logarithmic ? Math.log10(x) : x;
    }

    private String alt() {
        return up + " by " + across + ": "
                + groups.stream()
                        .map(group -> group.name + " " + Numbers.forPeople(mean(group.y)) + " ± "
                                + Numbers.forPeople(deviation(group.y)))
                        .collect(Collectors.joining("; "));
    }

    private static double mean(double[] values) {
        return Arrays.stream(values).average().orElse(Double.NaN);
    }

    private static double deviation(double[] values) {
        double mean = mean(values);
        double squares = Arrays.stream(values)
                .map(value -> (value - mean) * (value - mean))
                .sum();
        return values.length < 2 ? 0 : Math.sqrt(squares / (values.length - 1));
    }

    static double quantile(double[] values, double share) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        double at = share * (sorted.length - 1);
        int below = (int) Math.floor(at);
        double next = sorted[Math.min(below + 1, sorted.length - 1)];
        return sorted[below] + (at - below) * (next - sorted[below]);
    }
}

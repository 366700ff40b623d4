package dev.kelvin.report;

import dev.kelvin.draw.Numbers;
import dev.kelvin.math.Quadratic;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import tools.jackson.databind.json.JsonMapper;
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
    private static final JsonMapper JSON = new JsonMapper();

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
        html.open("figure", "class", "curves").element("h3", title);
        if (groups.isEmpty()) {
            html.element("p", "Nothing was recorded.", "class", "nothing");
        } else {
            html.open("div", "class", "chart");
            html.open("script", "type", "application/json").trusted(Curves.inScript(vegaLite()));
            html.close("script").open("noscript");
            html.element("p", "This chart needs scripts. " + alt(), "class", "nothing");
            html.close("noscript").close("div");
        }
        html.element("figcaption", explanation).close("figure");
    }

    /** The chart as a Vega-Lite specification, in the page's colours. */
    ObjectNode vegaLite() {
        ObjectNode chart = JSON.createObjectNode();
        chart.put("description", alt()).put("width", "container").put("height", HEIGHT);
        chart.putObject("autosize").put("type", "fit-x").put("contains", "padding");
        ArrayNode values = chart.putObject("data").putArray("values");
        groups.forEach(group -> summarise(values.addObject(), group));
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
    private static void summarise(ObjectNode value, Group group) {
        boolean box = group.box();
        double middle = box ? quantile(group.y, 0.5) : mean(group.y);
        double reach = deviation(group.y);
        value.put("name", group.name).put("x", mean(group.x)).put("middle", middle);
        value.put("low", box ? quantile(group.y, 0) : middle - reach);
        value.put("high", box ? quantile(group.y, 1) : middle + reach);
        value.put("q1", box ? quantile(group.y, 0.25) : middle).put("q3", box ? quantile(group.y, 0.75) : middle);
        double aside = box ? 0 : deviation(group.x);
        value.put("left", mean(group.x) - aside).put("right", mean(group.x) + aside);
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

    /** The parabola, where there are enough places for one. */
    private void curve(ArrayNode layers) {
        double[] x = groups.stream()
                .flatMapToDouble(group -> Arrays.stream(group.x))
                .map(this::seen)
                .toArray();
        double[] y =
                groups.stream().flatMapToDouble(group -> Arrays.stream(group.y)).toArray();
        if (groups.size() < Quadratic.FEWEST) {
            return;
        }
        Quadratic fitted = Quadratic.through(x, y);
        double low = Arrays.stream(x).min().orElseThrow();
        double high = Arrays.stream(x).max().orElseThrow();
        ObjectNode mark =
                layer(layers, "line", "x", "middle").put("strokeWidth", 2).put("color", "var(--series-2)");
        ObjectNode layer = (ObjectNode) layers.path(layers.size() - 1);
        ArrayNode values = layer.putObject("data").putArray("values");
        mark.put("interpolate", "monotone");
        for (int i = 0; i <= PLACES; i++) {
            double at = low + (high - low) * i / PLACES;
            values.addObject().put("x", logarithmic ? Math.pow(10, at) : at).put("middle", fitted.at(at));
        }
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

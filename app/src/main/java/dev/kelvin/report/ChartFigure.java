package dev.kelvin.report;

import dev.kelvin.draw.Png;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A chart on the page: its picture, which is there without any script, and its Vega-Lite specification, which {@code report.js}
 * puts in the picture's place.
 */
final class ChartFigure {
    private static final JsonMapper JSON = new JsonMapper();

    /** A legend's entry, in pixels of the page: its stroke with the space around it, and each letter of its name. */
    private static final int SYMBOL = 34;

    private static final int LETTER = 7;

    private static final int BESIDE = 60; // a vertical axis with its labels

    private ChartFigure() {}

    /** A chart as wide as its place on the page. */
    static ObjectNode chart(String description, int height) {
        ObjectNode chart = JSON.createObjectNode();
        chart.put("description", description).put("width", "container").put("height", height);
        chart.putObject("autosize").put("type", "fit-x").put("contains", "padding");
        return chart;
    }

    /**
     * A legend above the chart, with as many columns as fit its place on the page: not its width, which Vega changes when it has
     * laid the legend out already. That is named only so that columns are counted again when the page grows or shrinks.
     */
    static void writeLegend(ObjectNode colour, Iterable<String> names) {
        int longest = 0;
        for (String name : names) {
            longest = Math.max(longest, name.length());
        }
        ObjectNode legend = colour.putObject("legend").putNull("title").put("orient", "top");
        legend.put("symbolType", "stroke").put("symbolOpacity", 1);
        legend.putObject("columns")
                .put(
                        "expr",
                        "max(1, floor((containerSize()[0] - " + BESIDE + " + 0 * width) / "
                                + (SYMBOL + LETTER * longest) + "))");
    }

    /** An axis's name, or none. */
    static void writeTitle(ObjectNode channel, String title) {
        if (title.isEmpty()) {
            channel.putNull("title");
        } else {
            channel.put("title", title);
        }
    }

    static ArrayNode values(ObjectNode of) {
        return of.putObject("data").putArray("values");
    }

    static void write(Html html, String title, ObjectNode specification, String alt, Png png, String caption) {
        html.open("figure", "class", "curves").element("h3", title);
        html.open("div", "class", "chart");
        html.open("script", "type", "application/json").trusted(inScript(specification));
        html.close("script");
        new Picture("", alt, png).writeImage(html);
        html.close("div").element("figcaption", caption).close("figure");
    }

    /** A sentence in a chart's place. */
    static void writeNothing(Html html, String title, String caption) {
        html.open("figure", "class", "curves").element("h3", title);
        html.element("p", "Nothing was recorded.", "class", "nothing");
        html.element("figcaption", caption).close("figure");
    }

    /** JSON that cannot end the script it stands in: '<' occurs only inside strings, where it may be escaped. */
    private static String inScript(ObjectNode json) {
        return JSON.writeValueAsString(json).replace("<", "\\u003c");
    }
}

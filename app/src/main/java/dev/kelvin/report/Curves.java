package dev.kelvin.report;

import dev.kelvin.draw.Axis;
import dev.kelvin.draw.Numbers;
import dev.kelvin.draw.Png;
import dev.kelvin.draw.Series;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Curves in one chart, most of them over training steps: a picture, which Vega-Lite draws again where scripts run.
 *
 * @param title what the chart shows, in a few words
 * @param explanation what to look for in it, in a sentence or two
 * @param across what the horizontal axis counts
 * @param up what the vertical axis measures, with its unit
 * @param logarithmic whether the vertical axis is to be, which it is where all values are above 0
 */
public record Curves(
        String title, String explanation, String across, String up, boolean logarithmic, List<Series> series)
        implements Block {
    /** More points than this can't be told apart on a screen. */
    private static final int MOST_POINTS = 1000;
    /** The stylesheet has this many colours, {@code --series-1} and on; curves beyond them start again. */
    private static final int COLOURS = 6;

    /** The opacity of values behind their means. */
    static final double PALE = 0.3;

    private static final int HEIGHT = 220;
    private static final MathContext SIX_DIGITS = new MathContext(6);

    public Curves {
        series = List.copyOf(series);
        if (series.stream().map(Series::name).distinct().count() < series.size()) {
            throw new IllegalArgumentException("chart '" + title + "' has two curves of one name; rename one of "
                    + series.stream().map(Series::name).toList());
        }
    }

    /** One curve alone is what the vertical axis measures. */
    public Curves(String title, String explanation, String across, List<Series> series) {
        this(title, explanation, across, series.size() == 1 ? series.get(0).name() : "", false, series);
    }

    public Curves(String title, String explanation, Series... series) {
        this(title, explanation, List.of(series));
    }

    /** Curves over steps. */
    public Curves(String title, String explanation, List<Series> series) {
        this(title, explanation, "step", series);
    }

    /** The same with a vertical axis that measures this. */
    public Curves measuring(String what) {
        return new Curves(title, explanation, across, what, logarithmic, series);
    }

    /** The same with a logarithmic vertical axis, where all values are above 0. */
    public Curves onLogScale() {
        return new Curves(title, explanation, across, up, true, series);
    }

    /** The same with other curves. */
    public Curves with(List<Series> others) {
        return new Curves(title, explanation, across, up, logarithmic, others);
    }

    @Override
    public void write(Html html) {
        if (hasData()) {
            write(html, CurveChart.drawn(this));
        } else {
            ChartFigure.writeNothing(html, title, caption());
        }
    }

    /** With its picture, drawn already. */
    void write(Html html, Png picture) {
        ChartFigure.write(html, title, vegaLite(), alt(), picture, caption());
    }

    /** Whether any curve has a value to draw. */
    private boolean hasData() {
        return series.stream().anyMatch(s -> s.gaps() < s.points().size());
    }

    /** Whether the vertical axis is logarithmic. */
    boolean byLogarithm() {
        return logarithmic
                && series.stream()
                        .flatMap(curve -> curve.points().stream())
                        .noneMatch(point -> point.value() < Double.MIN_NORMAL);
    }

    /** Whether the curves are shown as running means in front of their pale values. */
    private boolean isDense() {
        return series.stream().anyMatch(Series::isDense);
    }

    /** The chart as a Vega-Lite specification. Its colours are the page's, so that it follows dark mode and print. */
    ObjectNode vegaLite() {
        ObjectNode chart = ChartFigure.chart(alt(), HEIGHT);
        ArrayNode values = ChartFigure.values(chart);
        series.forEach(curve -> writeValues(values, curve.thinned(MOST_POINTS)));
        ObjectNode encoding = chart.putObject("encoding");
        ObjectNode x = encoding.putObject("x").put("field", "step").put("type", "quantitative");
        x.put("title", across).putObject("scale").put("zero", false).put("nice", false);
        x.putObject("axis").put("format", ",~f"); // of one step alone Vega would write 100.000000
        ObjectNode y = encoding.putObject("y").put("field", "value").put("type", "quantitative");
        ChartFigure.writeTitle(y, up);
        if (byLogarithm()) {
            y.putObject("scale").put("type", "log").put("nice", false);
        } else {
            writeRange(y.putObject("scale").put("zero", false));
        }
        writeColour(encoding.putObject("color").put("field", "series").put("type", "nominal"));
        ArrayNode layers = chart.putArray("layer");
        ObjectNode line = layers.addObject().putObject("mark").put("type", "line");
        line.put("strokeWidth", isDense() ? 1 : 2).put("opacity", isDense() ? PALE : 1);
        line.put("point", series.stream().anyMatch(Series::isSparse));
        if (isDense()) {
            ObjectNode means = layers.addObject();
            means.putObject("mark").put("type", "line").put("strokeWidth", 2);
            ArrayNode courses = ChartFigure.values(means);
            series.forEach(curve -> writeValues(courses, curve.isDense() ? curve.smoothed() : curve));
        }
        writeReadout(layers.addObject());
        return chart;
    }

    /** Of values that are all equal Vega would make an axis with one tick of many digits. */
    private void writeRange(ObjectNode scale) {
        double[] values = series.stream()
                .flatMap(curve -> curve.points().stream())
                .mapToDouble(Series.Point::value)
                .filter(Double::isFinite)
                .distinct()
                .limit(2)
                .toArray();
        if (values.length == 1) {
            Axis axis = Axis.of(up, values, false, Axis.ROOM);
            scale.putArray("domain").add(axis.low()).add(axis.high());
        }
    }

    private static void writeValues(ArrayNode values, Series curve) {
        for (Series.Point point : curve.points()) {
            ObjectNode value = values.addObject().put("series", curve.name());
            value.put("step", BigDecimal.valueOf(point.step()).stripTrailingZeros());
            if (point.isFinite()) {
                value.put(
                        "value",
                        BigDecimal.valueOf(point.value()).round(SIX_DIGITS).stripTrailingZeros());
            } else {
                value.putNull("value");
            }
        }
    }

    private void writeColour(ObjectNode colour) {
        ObjectNode scale = colour.putObject("scale");
        ArrayNode names = scale.putArray("domain");
        ArrayNode colours = scale.putArray("range");
        for (int i = 0; i < series.size(); i++) {
            names.add(series.get(i).name());
            colours.add("var(--series-" + (i % COLOURS + 1) + ")");
        }
        if (series.size() == 1) {
            colour.putNull("legend");
        } else {
            ChartFigure.writeLegend(colour, series.stream().map(Series::name).toList());
        }
    }

    /** A dot on the curve nearest to the pointer, with its step and value in words. */
    private static void writeReadout(ObjectNode layer) {
        ObjectNode mark = layer.putObject("mark").put("type", "point").put("filled", true);
        mark.put("size", 60).put("tooltip", true);
        ObjectNode hover = layer.putArray("params").addObject().put("name", "nearest");
        ObjectNode select = hover.putObject("select").put("type", "point").put("nearest", true);
        select.put("on", "pointerover").put("clear", "pointerout");
        ObjectNode opacity = layer.putObject("encoding").putObject("opacity").put("value", 0);
        opacity.putObject("condition")
                .put("param", "nearest")
                .put("empty", false)
                .put("value", 1);
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
                .map(curve -> String.format(
                        Locale.ROOT,
                        "“%s” is not a finite number at %s of %s steps: its line has gaps there.",
                        curve.name(),
                        Numbers.forPeople(curve.gaps()),
                        Numbers.forPeople(curve.points().size())))
                .collect(Collectors.joining(" "));
    }
}

package dev.kelvin.report;

import dev.kelvin.draw.Lettering;
import dev.kelvin.draw.Numbers;
import dev.kelvin.draw.Png;
import dev.kelvin.draw.Series;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.XYStyler;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Draws curves as a picture on white, for files and for browsers that run no scripts. */
final class CurveChart {
    private static final int WIDTH = 1000;
    private static final int HEIGHT = 480;
    /** Values behind their means: enough to show how far they scatter, few enough to be drawn fast. */
    private static final int MOST_POINTS = 300;

    private static final Color INK = new Color(0x5B6570);
    private static final Color GRID = new Color(0xE3E5E8);
    /** The light colours of {@code --series-1} and on in {@code report.css}. */
    private static final Color[] COLOURS = {
        new Color(0x31688E),
        new Color(0xC8701A),
        new Color(0x2A8A5F),
        new Color(0x8A5FB0),
        new Color(0xB8473A),
        new Color(0x6B7280)
    };

    private CurveChart() {}

    /** Curves with axes and a legend; nothing on a machine that has no font to label them with. */
    static Optional<Png> drawn(Curves curves) {
        return Lettering.AVAILABLE ? Optional.of(png(curves)) : Optional.empty();
    }

    private static Png png(Curves curves) {
        XYChart chart = new XYChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .title(curves.title())
                .build();
        style(chart.getStyler());
        for (int i = 0; i < curves.series().size(); i++) {
            Series curve = curves.series().get(i);
            Color colour = COLOURS[i % COLOURS.length];
            if (curve.gaps() == curve.points().size()) {
                continue;
            }
            if (curve.isDense()) {
                // XChart wants every name once; this one is not shown.
                add(chart, "\u200B" + i, curve.thinned(MOST_POINTS), pale(colour), 1f)
                        .setShowInLegend(false);
            }
            add(chart, curve.name(), curve.isDense() ? curve.smoothed() : curve, colour, 3f);
        }
        return Png.of(Lettering.alone(() -> BitmapEncoder.getBufferedImage(chart)));
    }

    private static XYSeries add(XYChart chart, String name, Series curve, Color colour, float width) {
        List<Series.Point> points = curve.points();
        XYSeries line = chart.addSeries(
                name,
                points.stream().mapToDouble(Series.Point::step).toArray(),
                points.stream()
                        .mapToDouble(p -> p.isFinite() ? p.value() : Double.NaN)
                        .toArray());
        line.setMarker(curve.isSparse() ? SeriesMarkers.CIRCLE : SeriesMarkers.NONE)
                .setMarkerColor(colour);
        line.setLineColor(colour).setLineStyle(new BasicStroke(width));
        return line;
    }

    private static Color pale(Color colour) {
        return new Color(colour.getRed(), colour.getGreen(), colour.getBlue(), (int) (255 * Curves.PALE));
    }

    private static void style(XYStyler style) {
        style.setChartBackgroundColor(Color.WHITE).setChartFontColor(INK).setChartPadding(16);
        style.setChartTitleFont(new Font(Font.SANS_SERIF, Font.PLAIN, 24)).setChartTitleBoxVisible(false);
        style.setLegendPosition(Styler.LegendPosition.OutsideS).setLegendLayout(Styler.LegendLayout.Horizontal);
        style.setLegendBorderColor(Color.WHITE).setLegendFont(Lettering.FONT);
        style.setPlotBackgroundColor(Color.WHITE).setPlotBorderVisible(false).setLocale(Locale.ROOT);
        style.setAxisTickLabelsFont(Lettering.FONT).setAxisTickLabelsColor(INK).setAxisTickMarksColor(GRID);
        style.setPlotGridLinesColor(GRID)
                .setPlotGridLinesStroke(new BasicStroke(1f))
                .setPlotGridVerticalLinesVisible(false);
        style.setXAxisTickLabelsFormattingFunction(Numbers::onAxis);
        style.setYAxisTickLabelsFormattingFunction(Numbers::onAxis);
    }
}

package dev.kelvin.report;

import dev.kelvin.draw.Axis;
import dev.kelvin.draw.Chart;
import dev.kelvin.draw.Png;
import dev.kelvin.draw.Series;
import java.util.function.ToDoubleFunction;

/** Draws curves as a picture, for files and for where no script runs. */
final class CurveChart {
    /** Values behind their means: enough to show how far they scatter, few enough to be drawn fast. */
    private static final int MOST_POINTS = 300;

    private CurveChart() {}

    /** Curves with axes and a legend. */
    static Png drawn(Curves curves) {
        Axis across = Axis.of(curves.across(), values(curves, Series.Point::step), false, 0);
        Axis up = Axis.of(curves.up(), values(curves, Series.Point::value), curves.byLogarithm(), Axis.ROOM);
        try (Chart chart =
                new Chart(across, up, curves.series().stream().map(Series::name).toList())) {
            for (int i = 0; i < curves.series().size(); i++) {
                Series curve = curves.series().get(i);
                if (curve.isDense()) {
                    chart.curve(curve.thinned(MOST_POINTS), i, Chart.Weight.PALE);
                    chart.curve(curve.smoothed(), i, Chart.Weight.BOLD);
                } else {
                    chart.curve(curve, i, Chart.Weight.PLAIN);
                }
            }
            return chart.png();
        }
    }

    private static double[] values(Curves curves, ToDoubleFunction<Series.Point> of) {
        return curves.series().stream()
                .flatMap(curve -> curve.points().stream())
                .filter(Series.Point::isFinite)
                .mapToDouble(of)
                .toArray();
    }
}

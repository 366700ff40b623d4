package dev.kelvin.metric.image;

import dev.kelvin.part.Check;
import java.util.List;

/**
 * A figure at infinitely many samples, X∞, from its values at several sizes N: as the bias of FID and others falls with
 * 1/N, the least-squares line
 *
 * <pre>v = X∞ + b/N</pre>
 *
 * meets the axis 1/N = 0 at X∞. Source: Chong and Forsyth 2020, section 3.
 *
 * @param value X∞; NaN if a point's value is not finite
 * @param standardError of X∞, s √(1/k + x̄²/Σ(xᵢ − x̄)²) with x = 1/N and s² = Σ residuals²/(k − 2); NaN for two points,
 *     which always lie on a line. Where the points' samples overlap, it is too small.
 * @param slope b
 * @param notFinite points whose value is a NaN or an infinity
 */
public record Extrapolation(double value, double standardError, double slope, List<Point> points, int notFinite) {
    /** A figure's value with this many samples. */
    public record Point(long size, double value) {
        public Point {
            Check.atLeast("size", size, 1);
        }
    }

    public Extrapolation {
        points = List.copyOf(points);
    }

    /** By points of two or more different sizes. */
    public static Extrapolation of(List<Point> points) {
        if (points.stream().mapToLong(Point::size).distinct().count() < 2) {
            throw new IllegalArgumentException("a line takes points of two or more sample sizes, found " + points);
        }
        double k = points.size();
        double meanX = points.stream().mapToDouble(Extrapolation::x).sum() / k;
        double meanY = points.stream().mapToDouble(Point::value).sum() / k;
        double xx = 0;
        double xy = 0;
        for (Point point : points) {
            double x = x(point) - meanX;
            xx += x * x;
            xy += x * (point.value - meanY);
        }
        double slope = xy / xx;
        double value = meanY - slope * meanX;
        double residuals = 0;
        for (Point point : points) {
            double residual = point.value - value - slope * x(point);
            residuals += residual * residual;
        }
        double variance = k > 2 ? residuals / (k - 2) : Double.NaN;
        double error = Math.sqrt(variance * (1 / k + meanX * meanX / xx));
        int notFinite = (int)
                points.stream().filter(point -> !Double.isFinite(point.value)).count();
        return notFinite > 0
                ? new Extrapolation(Double.NaN, Double.NaN, Double.NaN, points, notFinite)
                : new Extrapolation(value, error, slope, points, 0);
    }

    private static double x(Point point) {
        return 1.0 / point.size;
    }
}

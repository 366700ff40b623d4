package dev.kelvin.math;

import java.util.Arrays;

/**
 * The parabola of least squares, y = c₀ + c₁u + c₂u² with u = (x − centre)/scale, which keeps the equations well conditioned.
 */
public record Quadratic(double centre, double scale, double c0, double c1, double c2) {
    /** Distinct places that a parabola takes. */
    public static final int FEWEST = 3;

    /** Through points; they must have three different x. */
    public static Quadratic through(double[] x, double[] y) {
        if (x.length != y.length || Arrays.stream(x).distinct().count() < FEWEST) {
            throw new IllegalArgumentException(
                    "a parabola takes a y for each x and 3 different x, found " + x.length + " x, " + y.length + " y");
        }
        double centre = Arrays.stream(x).average().orElseThrow();
        double scale =
                Arrays.stream(x).map(each -> Math.abs(each - centre)).max().orElseThrow();
        double[][] normal = new double[3][3];
        double[] right = new double[3];
        for (int n = 0; n < x.length; n++) {
            double u = (x[n] - centre) / scale;
            double[] powers = {1, u, u * u};
            for (int i = 0; i < 3; i++) {
                right[i] += powers[i] * y[n];
                for (int j = 0; j < 3; j++) {
                    normal[i][j] += powers[i] * powers[j];
                }
            }
        }
        double[] c = new double[3];
        double[][] inverse = CholeskyFactor.of(normal).inverse();
        Arrays.setAll(c, k -> inverse[k][0] * right[0] + inverse[k][1] * right[1] + inverse[k][2] * right[2]);
        return new Quadratic(centre, scale, c[0], c[1], c[2]);
    }

    /** The value at x. */
    public double at(double x) {
        double u = (x - centre) / scale;
        return c0 + u * (c1 + u * c2);
    }
}

package dev.kelvin.metric;

import dev.kelvin.energy.LogDensity;
import dev.kelvin.math.Box;
import dev.kelvin.part.Check;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Tensor;
import java.util.Arrays;

/**
 * The shares of a distribution in bins × bins equal bins of a box, and in one more bin: everything outside of it.
 *
 * @param box the part of the plane that the bins cover
 * @param bins bins a side
 * @param shares the bins' shares, rows by rising y, in a row by rising x; the last is the outside's. They sum to 1.
 * @param samples how many samples were counted; 0 for a known density
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Histogram(Box box, int bins, double[] shares, int samples) {
    /** What an integral over the box may exceed 1 by: a quadrature's error, never a missing normaliser. */
    private static final double EXCESS = 1e-2;

    /**
     * A known density's shares, by the midpoint rule on at least 256 cells a side; the outside has what is missing to 1.
     * The density must be normalised on the whole plane.
     */
    public static Histogram of(LogDensity normalised, Box box, int bins) {
        Check.atLeast("bins", bins, 1);
        int fine = (GridDensity.CELLS + bins - 1) / bins;
        int cells = bins * fine;
        GridDensity grid = GridDensity.of(normalised, box, cells, DType.DOUBLE, Device.CPU);
        double mass = Math.exp(grid.logNormaliser());
        if (!(mass <= 1 + EXCESS)) {
            throw new IllegalArgumentException("the density's integral over " + box + " is " + mass
                    + "; expected at most 1: subtract its log-normaliser");
        }
        double[] logDensities = grid.logDensities();
        double cell = mass * box.area() / logDensities.length;
        double[] shares = new double[bins * bins + 1];
        for (int i = 0; i < logDensities.length; i++) {
            int row = i / cells / fine;
            int column = i % cells / fine;
            shares[row * bins + column] += cell * Math.exp(logDensities[i]);
        }
        shares[bins * bins] = Math.max(0, 1 - mass);
        return new Histogram(box, bins, shares, 0);
    }

    /** Samples' shares, [n, 2]. Those with a NaN or an infinity lie outside. */
    public static Histogram of(Tensor samples, Box box, int bins) {
        Check.atLeast("bins", bins, 1);
        if (samples.dim() != 2 || samples.size(1) != 2 || samples.size(0) == 0) {
            throw new IllegalArgumentException("a histogram takes points, [n, 2] with n above 0; found " + samples);
        }
        double[] points = samples.toDoubles();
        int count = points.length / 2;
        int[] counts = new int[bins * bins + 1];
        for (int i = 0; i < points.length; i += 2) {
            counts[binOf(box, bins, points[i], points[i + 1])]++;
        }
        return new Histogram(box, bins, shares(counts, count), count);
    }

    static double[] shares(int[] counts, int total) {
        return Arrays.stream(counts)
                .mapToDouble(count -> (double) count / total)
                .toArray();
    }

    private static int binOf(Box box, int bins, double x, double y) {
        if (!box.contains(x, y)) {
            return bins * bins;
        }
        int row = Math.min(bins - 1, (int) ((y - box.yMin()) / box.height() * bins));
        int column = Math.min(bins - 1, (int) ((x - box.xMin()) / box.width() * bins));
        return row * bins + column;
    }

    /** ½ Σ |pᵢ − qᵢ|, from 0 to 1. */
    public double totalVariation(Histogram other) {
        if (!box.equals(other.box) || bins != other.bins) {
            throw new IllegalArgumentException("histograms are compared on the same bins; found " + bins + " a side on "
                    + box + " and " + other.bins + " on " + other.box);
        }
        return totalVariation(shares, other.shares);
    }

    static double totalVariation(double[] p, double[] q) {
        double sum = 0;
        for (int i = 0; i < p.length; i++) {
            sum += Math.abs(p[i] - q[i]);
        }
        return sum / 2;
    }
}

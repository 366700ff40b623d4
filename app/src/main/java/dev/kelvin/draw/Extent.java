package dev.kelvin.draw;

import java.util.Arrays;

/**
 * What a picture shows of one variable: its name, its range, and the bins of its histogram. The range is robust: the middle
 * 99 % of the reference and the middle 90 % of what is compared with it; what lies beyond is drawn at the edge.
 *
 * @param whole whether the reference has whole numbers only, so that each bin is one of them or a few
 */
public record Extent(String name, double low, double high, int bins, boolean whole) implements Canvas.Ranged {
    private static final double TAIL = 0.005;
    private static final double OTHER_TAIL = 0.05;

    /** Left free on each side, as a share of the range. */
    private static final double MARGIN = 0.04;

    private static final int MOST_BINS = 30;
    private static final int FEWEST_BINS = 8;

    /** Of a reference, one value or more, and of what is compared with it, which may be nothing. */
    public static Extent of(String name, double[] reference, double[] other) {
        double[] a = sorted(reference);
        double[] b = sorted(other);
        if (a.length == 0) {
            return b.length == 0 ? new Extent(name, -1, 1, FEWEST_BINS, false) : of(name, other, new double[0]);
        }
        double low = Math.min(quantile(a, TAIL), b.length == 0 ? a[a.length - 1] : quantile(b, OTHER_TAIL));
        double high = Math.max(quantile(a, 1 - TAIL), b.length == 0 ? a[0] : quantile(b, 1 - OTHER_TAIL));
        boolean whole = Arrays.stream(a).allMatch(value -> value == Math.rint(value)) && high - low < 1e9;
        if (whole) {
            return whole(name, Math.rint(low), Math.rint(high));
        }
        if (!(high > low)) {
            double reach = Math.max(Math.abs(low) * 0.05, 1e-6);
            return new Extent(name, low - reach, low + reach, FEWEST_BINS, false);
        }
        double margin = MARGIN * (high - low);
        int bins = (int) Math.max(FEWEST_BINS, Math.min(MOST_BINS, Math.round(2 * Math.sqrt(a.length))));
        return new Extent(name, low - margin, high + margin, bins, false);
    }

    /** Bins about whole numbers: one each, or where there are many a few each. */
    private static Extent whole(String name, double low, double high) {
        int each = (int) Math.ceil((high - low + 1) / MOST_BINS);
        int bins = (int) Math.ceil((high - low + 1) / each);
        return new Extent(name, low - 0.5, low - 0.5 + (double) bins * each, bins, true);
    }

    /** The finite ones, ascending. */
    private static double[] sorted(double[] values) {
        return Arrays.stream(values).filter(Double::isFinite).sorted().toArray();
    }

    private static double quantile(double[] sorted, double share) {
        return sorted[(int) Math.min(sorted.length - 1, Math.max(0, Math.floor(share * sorted.length)))];
    }

    /** Where a value lies, from 0 to 1; what lies beyond is at the edge. NaN stays NaN. */
    @Override
    public double place(double value) {
        return Math.min(1, Math.max(0, (value - low) / (high - low)));
    }

    /** The share of values in each bin; the outermost hold what lies beyond. NaN is in none. */
    public double[] shares(double... values) {
        double[] shares = new double[bins];
        for (double value : values) {
            if (!Double.isNaN(value)) {
                shares[(int) Math.min(bins - 1, place(value) * bins)] += 1.0 / values.length;
            }
        }
        return shares;
    }

    @Override
    public double[] ticks(int parts) {
        double[] ticks = Axis.roundNumbers(low, high, parts);
        return whole
                ? Arrays.stream(ticks).filter(tick -> tick == Math.rint(tick)).toArray()
                : ticks;
    }
}

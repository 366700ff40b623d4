package dev.kelvin.math;

import dev.kelvin.part.Check;
import java.util.Arrays;
import java.util.List;
import java.util.stream.DoubleStream;

/**
 * A rising, piecewise linear map of one column under which its values are normal: z = Φ⁻¹(F(x)), F the distribution of the
 * column's values plus noise. Choose it for columns with heavy tails, bounds or values that many rows share: all that is then
 * in the map, and log p(x) = log p(z) + log dz/dx.
 *
 * <p>Knots lie at even spaces of z, out to where half a row is left; beyond, the map goes on along a line.
 *
 * @param x the knots, rising
 * @param z their normal scores, rising
 */
public record NormalQuantiles(List<Double> x, List<Double> z) {
    private static final int KNOTS = 200;

    /** Knots by which a line goes on beyond the last. */
    private static final int TAIL = 5;

    /** Values by which a column is known, each with the noise at {@link #PLACES} places. */
    private static final int MOST_VALUES = 20_000;

    private static final int PLACES = 9;

    /** (√5 − 1)/2: its multiples, less their whole parts, lie as evenly as can be. */
    private static final double GOLDEN = (Math.sqrt(5) - 1) / 2;

    public NormalQuantiles {
        x = List.copyOf(x);
        z = List.copyOf(z);
        Check.require(x.size() == z.size() && x.size() >= 2, "x", "must be two knots or more, and as many as z has");
        for (int i = 1; i < x.size(); i++) {
            boolean rises = x.get(i) > x.get(i - 1) && z.get(i) > z.get(i - 1);
            Check.require(rises, "x", "must rise, as z must, found " + x.get(i) + " after " + x.get(i - 1));
        }
    }

    /** Of a column's values plus N(0, noise²). */
    public static NormalQuantiles of(double[] column, double noise) {
        Check.atLeast("column", column.length, 2);
        Check.positive("noise", noise);
        double[] noisy = noisy(column, noise);
        int n = noisy.length;
        double reach = InverseNormal.of(1 - 0.5 / (column.length + 1.0));
        double[] knots = new double[KNOTS + 1];
        double[] scores = new double[KNOTS + 1];
        double least = 1e-9 * (noisy[n - 1] - noisy[0]);
        int kept = 0;
        int below = 0; // noisy values whose score is at most the knot's
        for (int k = 0; k <= KNOTS; k++) {
            double score = reach * (2.0 * k / KNOTS - 1);
            while (below < n - 1 && InverseNormal.of((below + 0.5) / n) < score) {
                below++;
            }
            double knot = noisy[below];
            if (below > 0) {
                double low = InverseNormal.of((below - 0.5) / n);
                double high = InverseNormal.of((below + 0.5) / n);
                double share = Math.min(1, Math.max(0, (score - low) / (high - low)));
                knot = noisy[below - 1] + share * (noisy[below] - noisy[below - 1]);
            }
            if (kept == 0 || knot > knots[kept - 1] + least) {
                knots[kept] = knot;
                scores[kept++] = score;
            }
        }
        return new NormalQuantiles(
                DoubleStream.of(knots).limit(kept).boxed().toList(),
                DoubleStream.of(scores).limit(kept).boxed().toList());
    }

    /** The values with the noise at even shares of its distribution, other shares for each value, sorted. */
    private static double[] noisy(double[] column, double noise) {
        double[] sorted = column.clone();
        Arrays.sort(sorted);
        int values = Math.min(sorted.length, MOST_VALUES);
        double[] noisy = new double[values * PLACES];
        for (int i = 0; i < values; i++) {
            double value = sorted[(int) ((i + 0.5) / values * sorted.length)];
            double turn = i * GOLDEN % 1;
            for (int place = 0; place < PLACES; place++) {
                double share = (place + Math.max(turn, 1e-6)) / PLACES;
                noisy[i * PLACES + place] = value + noise * InverseNormal.of(share);
            }
        }
        Arrays.sort(noisy);
        return noisy;
    }

    /** It as arithmetic: boxed numbers are for files. */
    public Scorer scorer() {
        return new Scorer(this);
    }

    /** The map on numbers. */
    public static final class Scorer {
        private final Knots x;
        private final Knots z;
        private final double[] logSlopes;
        private final double first;
        private final double last;

        private Scorer(NormalQuantiles scores) {
            x = new Knots(scores.x);
            z = new Knots(scores.z);
            logSlopes = new double[x.end];
            Arrays.setAll(logSlopes, i -> Math.log((z.at[i + 1] - z.at[i]) / (x.at[i + 1] - x.at[i])));
            int tail = Math.min(TAIL, x.end);
            first = (z.at[tail] - z.at[0]) / (x.at[tail] - x.at[0]);
            last = (z.at[x.end] - z.at[x.end - tail]) / (x.at[x.end] - x.at[x.end - tail]);
        }

        /** z of a value. */
        public double forward(double value) {
            return along(value, x, z, first, last);
        }

        /** The value with this z. */
        public double back(double score) {
            return along(score, z, x, 1 / first, 1 / last);
        }

        /** log dz/dx at a value, to be added to log p(z). */
        public double logSlope(double value) {
            return x.isOutside(value) ? Math.log(value < x.at[0] ? first : last) : logSlopes[x.before(value)];
        }

        private static double along(double value, Knots from, Knots to, double first, double last) {
            if (from.isOutside(value)) {
                boolean below = value < from.at[0];
                int end = below ? 0 : from.end;
                return to.at[end] + (value - from.at[end]) * (below ? first : last);
            }
            int i = from.before(value);
            return to.at[i] + (value - from.at[i]) / (from.at[i + 1] - from.at[i]) * (to.at[i + 1] - to.at[i]);
        }
    }

    /** Rising numbers, found by a table over even spaces of their range: 2 to 3 times as fast as by halving. */
    private static final class Knots {
        private static final int SPACES = 1024;

        private final double[] at;
        private final int end;
        private final double perUnit;
        private final int[] before = new int[SPACES + 1]; // the knot at or before each space's beginning

        Knots(List<Double> knots) {
            at = knots.stream().mapToDouble(Double::doubleValue).toArray();
            end = at.length - 1;
            perUnit = SPACES / (at[end] - at[0]);
            for (int i = 0; i < end; i++) {
                Arrays.fill(before, space(at[i]) + 1, SPACES + 1, i);
            }
        }

        boolean isOutside(double value) {
            return value < at[0] || value > at[end];
        }

        private int space(double value) {
            return Math.min(SPACES - 1, (int) ((value - at[0]) * perUnit));
        }

        /** The knot at or before a value that is not outside, never the last. */
        int before(double value) {
            int space = space(value);
            int low = before[space];
            int high = before[space + 1];
            while (low < high) {
                int middle = (low + high + 1) / 2;
                if (at[middle] <= value) {
                    low = middle;
                } else {
                    high = middle - 1;
                }
            }
            return low;
        }
    }
}

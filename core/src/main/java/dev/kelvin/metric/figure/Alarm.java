package dev.kelvin.metric.figure;

import dev.kelvin.part.Check;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * What an alarm at rows whose f lies below a threshold does: how many usual rows it is false at, and how many others it finds.
 *
 * <p>At a rate α the alarm is at every row whose quantile among the n usual ones, (1 + #{h ≤ f})/(1 + n), is at most α: f is
 * below the k-th lowest of them, k = ⌊α(n + 1)⌋. There is none where that is 0.
 *
 * @param threshold rows with a lower f are alarms
 * @param falseRate the share of the usual rows that are
 * @param found the share of the others that are; NaN where there are none
 * @param precision the share of others among all that are; NaN where none is
 */
public record Alarm(double threshold, double falseRate, double found, double precision) {
    /** How many usual rows it takes to set an alarm at this rate. */
    public static long rowsFor(double rate) {
        return (long) Math.ceil(1 / rate - 1e-9) - 1;
    }

    /** The alarm at a rate in (0, 1); nothing where there are too few usual rows for it. */
    public static Optional<Alarm> at(double rate, double[] usual, double[] others) {
        Check.within("rate", rate, 0, 1);
        double[] sorted = Arrays.stream(usual).sorted().toArray();
        int k = (int) Math.floor(rate * (sorted.length + 1) + 1e-9); // 0.1 · 10 must be 1
        if (k == 0) {
            return Optional.empty();
        }
        double threshold = sorted[Math.min(k, sorted.length) - 1];
        long wrong = Arrays.stream(usual).filter(f -> f < threshold).count();
        long right = Arrays.stream(others).filter(f -> f < threshold).count();
        return Optional.of(of(threshold, wrong, right, usual.length, others.length));
    }

    private static Alarm of(double threshold, long wrong, long right, int usual, int others) {
        return new Alarm(threshold, (double) wrong / usual, (double) right / others, (double) right / (right + wrong));
    }

    /**
     * Every alarm that differs, from none to all rows: the points of the ROC curve, (falseRate, found), and of the
     * precision-recall curve, (found, precision). Rows whose f is NaN are never alarms.
     */
    public static List<Alarm> all(double[] usual, double[] others) {
        double[] a = Arrays.stream(usual).filter(f -> !Double.isNaN(f)).sorted().toArray();
        double[] b =
                Arrays.stream(others).filter(f -> !Double.isNaN(f)).sorted().toArray();
        List<Alarm> alarms = new ArrayList<>();
        int i = 0;
        int j = 0;
        while (i < a.length || j < b.length) {
            double next = Math.min(
                    i < a.length ? a[i] : Double.POSITIVE_INFINITY, j < b.length ? b[j] : Double.POSITIVE_INFINITY);
            alarms.add(of(next, i, j, usual.length, others.length));
            while (i < a.length && a[i] <= next) {
                i++;
            }
            while (j < b.length && b[j] <= next) {
                j++;
            }
        }
        alarms.add(of(Double.POSITIVE_INFINITY, i, j, usual.length, others.length));
        return alarms;
    }
}

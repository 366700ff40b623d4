package dev.kelvin.sample.warmup;

import java.util.List;

/**
 * Finds the path length at which chains move furthest, by the change of their squared distance from the centre (ChEES):
 *
 * <pre>
 * maximise ¼E[(|y' − Ey'|² − |y − Ey|²)²];  its slope in log length, of one path of length t:
 * g = t·Σ a(|y' − m'|² − |y − m|²)(y' − m')·v'/Σ a
 * </pre>
 *
 * <p>y = L⁻¹x are the metric's coordinates before the path, y' and v' after it, a the acceptances, m and m' the means over chains,
 * the latter weighted by a. log length moves by Adam without momentum (rate 0.025, memory 0.95), at most by a factor of 1.4.
 *
 * <p>Source: Hoffman, Radul and Sountsov (2021), algorithm 1 and equation 12.
 */
public final class PathAdaptation {
    private static final double RATE = 0.025;
    private static final double MEMORY = 0.95;
    private static final double LARGEST_MOVE = 0.35;

    /** Longer paths cost more than they bring, also where the density is far too long for its metric. */
    static final double MOST_LEAPS = 1000;

    private double log;
    private double squares;
    private long count;
    private double average;
    private double weight;

    PathAdaptation(double length) {
        restart(length);
    }

    /** Goes on from another length: the metric has changed. */
    void restart(double length) {
        log = Math.log(length);
        squares = 0;
        count = 0;
        average = 0;
        weight = 0;
    }

    double length() {
        return Math.exp(log);
    }

    /** The mean of log length over the second half of the steps since the last restart. */
    double settled() {
        return weight > 0 ? Math.exp(average / weight) : length();
    }

    /** Tells a path of length t: positions before and after it, velocities after it, all chain after chain. */
    void update(
            List<Double> scales,
            double[] before,
            double[] after,
            double[] velocity,
            double[] acceptance,
            double t,
            double stepSize) {
        double slope = t * slope(scales, before, after, velocity, acceptance);
        if (!Double.isFinite(slope)) {
            return;
        }
        count++;
        squares = MEMORY * squares + (1 - MEMORY) * slope * slope;
        double size = Math.sqrt(squares / (1 - Math.pow(MEMORY, (double) count)));
        if (size > 0) {
            log += Math.max(-LARGEST_MOVE, Math.min(LARGEST_MOVE, RATE * slope / size));
        }
        log = Math.max(Math.log(stepSize), Math.min(log, Math.log(MOST_LEAPS * stepSize)));
        // weights that grow with the steps: the beginning counts little
        average += count * log;
        weight += count;
    }

    /** g/t; NaN where no path was accepted. */
    public static double slope(
            List<Double> scales, double[] before, double[] after, double[] velocity, double[] acceptance) {
        int chains = acceptance.length;
        int d = before.length / chains;
        double total = 0;
        double[] start = new double[d];
        double[] end = new double[d];
        for (int chain = 0; chain < chains; chain++) {
            double a = usable(acceptance[chain]);
            total += a;
            for (int i = 0; i < d; i++) {
                start[i] += before[chain * d + i] / chains;
                end[i] += a > 0 ? a * after[chain * d + i] : 0;
            }
        }
        double sum = 0;
        double[] y = new double[d];
        for (int chain = 0; chain < chains; chain++) {
            double a = usable(acceptance[chain]);
            if (a == 0) {
                continue;
            }
            for (int i = 0; i < d; i++) {
                y[i] = before[chain * d + i] - start[i];
            }
            whiten(scales, y);
            double from = dot(y, y, 0);
            for (int i = 0; i < d; i++) {
                y[i] = after[chain * d + i] - end[i] / total;
            }
            whiten(scales, y);
            sum += a * (dot(y, y, 0) - from) * dot(y, velocity, chain * d);
        }
        return sum / total;
    }

    private static double usable(double acceptance) {
        return acceptance > 0 ? acceptance : 0; // NaN is 0
    }

    private static double dot(double[] y, double[] other, int from) {
        double sum = 0;
        for (int i = 0; i < y.length; i++) {
            sum += y[i] * other[from + i];
        }
        return sum;
    }

    /** y becomes L⁻¹y. */
    public static void whiten(List<Double> scales, double[] y) {
        if (scales.size() == y.length) {
            for (int i = 0; i < y.length; i++) {
                y[i] /= scales.get(i);
            }
        } else if (!scales.isEmpty()) {
            for (int i = 0, at = 0; i < y.length; i++) {
                for (int k = 0; k < i; k++) {
                    y[i] -= scales.get(at++) * y[k];
                }
                y[i] /= scales.get(at++);
            }
        }
    }
}

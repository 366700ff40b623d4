package dev.kelvin.sample.warmup;

import dev.kelvin.part.Check;
import java.util.Arrays;

/**
 * Finds the step size at which a kernel's mean acceptance is what was asked for, while the chain runs; one step size for
 * each of several groups of chains that share nothing but the target acceptance. After the warm-up take {@link #settled}
 * and change it no more: a chain whose step still follows its past is not exact.
 *
 * <pre>
 * H' = (1 − 1/(m + 10)) H + (a* − a)/(m + 10)
 * log h' = μ − (√m/0.05) H',  log h̄' = m^(−3/4) log h' + (1 − m^(−3/4)) log h̄
 * </pre>
 *
 * <p>m counts the updates, a is the acceptance, a* its target, μ = log(10·h₀).
 *
 * <p>Source: Hoffman and Gelman (2014), section 3.2, with their constants.
 */
public final class DualAveraging {
    private static final double SHRINKAGE = 0.05;
    private static final double EARLY = 10;
    private static final double FORGETTING = 0.75;
    private static final double AMBITION = 10;

    private final double acceptance;
    private final double[] centre;
    private final double[] error;
    private final double[] log;
    private final double[] average;
    private final long[] count;

    /** One group for each initial step size. */
    public DualAveraging(double acceptance, double... stepSizes) {
        this.acceptance = checked(acceptance);
        int groups = stepSizes.length;
        Check.atLeast("groups", groups, 1);
        centre = new double[groups];
        error = new double[groups];
        log = new double[groups];
        count = new long[groups];
        for (int i = 0; i < groups; i++) {
            log[i] = Math.log(Check.positive("stepSize", stepSizes[i]));
            centre[i] = log[i] + Math.log(AMBITION);
        }
        average = log.clone();
    }

    /** The acceptance, if some step size can have it. */
    static double checked(double acceptance) {
        return Check.within("acceptance", acceptance, 0.01, 0.99);
    }

    /** Tells a group's mean acceptance at its present step size; NaN, from proposals that overflowed, counts as 0. */
    public void update(int group, double found) {
        double a = Double.isNaN(found) ? 0 : found;
        double m = ++count[group];
        error[group] += (acceptance - a - error[group]) / (m + EARLY);
        log[group] = centre[group] - Math.sqrt(m) / SHRINKAGE * error[group];
        double weight = Math.pow(m, -FORGETTING);
        average[group] = weight * log[group] + (1 - weight) * average[group];
    }

    /** The step size to try next. */
    public double stepSize(int group) {
        return Math.exp(log[group]);
    }

    /** The step size to go on with when the warm-up is over. */
    public double settled(int group) {
        return Math.exp(average[group]);
    }

    /** All that it knows, to go on with later. */
    public double[] state() {
        double[] all = new double[4 * log.length];
        for (int i = 0; i < log.length; i++) {
            all[4 * i] = error[i];
            all[4 * i + 1] = log[i];
            all[4 * i + 2] = average[i];
            all[4 * i + 3] = count[i];
        }
        return all;
    }

    /** Goes on from a {@link #state} of as many groups. */
    public void restore(double[] state) {
        for (int i = 0; i < log.length; i++) {
            error[i] = state[4 * i];
            log[i] = state[4 * i + 1];
            average[i] = state[4 * i + 2];
            count[i] = (long) state[4 * i + 3];
        }
    }

    /** The settled step sizes of all groups. */
    public double[] settled() {
        return Arrays.stream(average).map(Math::exp).toArray();
    }
}

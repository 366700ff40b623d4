package dev.kelvin.sample.warmup;

import dev.kelvin.part.Check;
import java.util.stream.IntStream;

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

    /** What is known of a group, in this order: H, log h, log h̄ and m. */
    private static final int LOG = 1;

    private static final int AVERAGE = 2;
    private static final int COUNT = 3;
    private static final int SIZE = 4;

    private final double acceptance;
    private final double[] centre;
    private final double[] state;

    /** One group for each initial step size. */
    public DualAveraging(double acceptance, double... stepSizes) {
        this.acceptance = checked(acceptance);
        Check.atLeast("groups", stepSizes.length, 1);
        centre = new double[stepSizes.length];
        state = new double[SIZE * stepSizes.length];
        for (int i = 0; i < stepSizes.length; i++) {
            double log = Math.log(Check.positive("stepSize", stepSizes[i]));
            state[SIZE * i + LOG] = log;
            state[SIZE * i + AVERAGE] = log;
            centre[i] = log + Math.log(AMBITION);
        }
    }

    /** The acceptance, if some step size can have it. */
    static double checked(double acceptance) {
        return Check.within("acceptance", acceptance, 0.01, 0.99);
    }

    /** Tells a group's mean acceptance at its present step size; NaN, from proposals that overflowed, counts as 0. */
    public void update(int group, double found) {
        double a = Double.isNaN(found) ? 0 : found;
        int at = SIZE * group;
        double m = ++state[at + COUNT];
        state[at] += (acceptance - a - state[at]) / (m + EARLY);
        state[at + LOG] = centre[group] - Math.sqrt(m) / SHRINKAGE * state[at];
        double weight = Math.pow(m, -FORGETTING);
        state[at + AVERAGE] = weight * state[at + LOG] + (1 - weight) * state[at + AVERAGE];
    }

    /** The step size to try next. */
    public double stepSize(int group) {
        return Math.exp(state[SIZE * group + LOG]);
    }

    /** The step size to go on with when the warm-up is over. */
    public double settled(int group) {
        return Math.exp(state[SIZE * group + AVERAGE]);
    }

    /** The settled step sizes of all groups. */
    public double[] settled() {
        return IntStream.range(0, centre.length).mapToDouble(this::settled).toArray();
    }

    /** All that it knows, to go on with later. */
    public double[] state() {
        return state.clone();
    }

    /** Goes on from a {@link #state} of as many groups. */
    public void restore(double[] known) {
        System.arraycopy(known, 0, state, 0, state.length);
    }
}

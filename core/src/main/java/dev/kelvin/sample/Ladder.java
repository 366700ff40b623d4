package dev.kelvin.sample;

import dev.kelvin.tensor.Memory;
import java.util.Arrays;

/**
 * Temperatures t from 0, the prior, to 1, the posterior, and integrals over them by the trapezoid rule.
 *
 * <pre>∫ E dt ≈ ½ Σ (tᵢ − tᵢ₋₁)(Eᵢ₋₁ + Eᵢ) = Σ wᵢEᵢ</pre>
 */
public record Ladder(double... t) {
    /** (i/count)^power: above 1 most of them lie near 0. */
    public static Ladder of(int count, double power) {
        double[] t = new double[Memory.array(Double.BYTES, count + 1L)];
        Arrays.setAll(t, i -> Math.pow((double) i / count, power));
        return new Ladder(t);
    }

    /** wᵢ, what each Eᵢ counts for; their sum is 1. */
    public double[] weights() {
        double[] weights = new double[t.length];
        for (int i = 1; i < t.length; i++) {
            double half = (t[i] - t[i - 1]) / 2;
            weights[i - 1] += half;
            weights[i] += half;
        }
        return weights;
    }

    /** Σ wᵢEᵢ. */
    public double integral(double... e) {
        double[] weights = weights();
        double sum = 0;
        for (int i = 0; i < t.length; i++) {
            sum += weights[i] * e[i];
        }
        return sum;
    }

    /** dE/dt at each of them: the mean of the slopes on both sides. */
    public double[] slopes(double... e) {
        double[] between = new double[t.length - 1];
        Arrays.setAll(between, i -> (e[i + 1] - e[i]) / (t[i + 1] - t[i]));
        double[] slopes = new double[t.length];
        int last = between.length - 1;
        Arrays.setAll(slopes, i -> (between[Math.max(i - 1, 0)] + between[Math.min(i, last)]) / 2);
        return slopes;
    }

    /** What is linear between its values at these temperatures, at another. */
    public double between(double[] values, double at) {
        int i = 1;
        while (i < t.length - 1 && t[i] < at) {
            i++;
        }
        double share = (at - t[i - 1]) / (t[i] - t[i - 1]);
        return values[i - 1] + share * (values[i] - values[i - 1]);
    }

    /** A ladder of {@code count} steps, placed as by {@link #placed}. */
    public Ladder refined(int count, double... deviations) {
        double[] t = new double[count + 1];
        for (int i = 1; i <= count; i++) { // the present ones' places, drawn out
            double at = (double) i * (this.t.length - 1) / count;
            int below = Math.min((int) at, this.t.length - 2);
            t[i] = this.t[below] + (at - below) * (this.t[below + 1] - this.t[below]);
        }
        t[count] = 1;
        double[] there = new double[count + 1];
        Arrays.setAll(there, i -> between(deviations, t[i]));
        return new Ladder(t).placed(there);
    }

    /**
     * As many temperatures, so placed that the integral of a deviation over t grows by the same from one to the next; the
     * deviation is linear between what is known of it at these.
     */
    public Ladder placed(double... deviations) {
        int count = t.length - 1;
        double[] reached = new double[count + 1];
        for (int i = 1; i <= count; i++) {
            reached[i] = reached[i - 1] + (t[i] - t[i - 1]) * (deviations[i - 1] + deviations[i]) / 2;
        }
        if (!(reached[count] > 0) || !Double.isFinite(reached[count])) {
            return this;
        }
        double[] placed = new double[count + 1];
        int at = 1;
        for (int i = 1; i < count; i++) {
            double wanted = reached[count] * i / count;
            while (at < count && reached[at] < wanted) {
                at++;
            }
            double share = (wanted - reached[at - 1]) / (reached[at] - reached[at - 1]);
            placed[i] = t[at - 1] + (t[at] - t[at - 1]) * root(share, deviations[at - 1], deviations[at]);
        }
        placed[count] = 1;
        return new Ladder(placed);
    }

    /** Where between 0 and 1 the integral of a line from a to b has reached a share of its whole. */
    private static double root(double share, double a, double b) {
        double goal = share * (a + b) / 2;
        return Math.abs(b - a) < 1e-9 * (a + b) ? share : (Math.sqrt(a * a + 2 * (b - a) * goal) - a) / (b - a);
    }
}

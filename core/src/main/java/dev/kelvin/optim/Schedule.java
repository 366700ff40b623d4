package dev.kelvin.optim;

import dev.kelvin.Check;

/** How the learning rate changes over a run: a factor on it at each step, counted from 0, of a number of steps. */
@FunctionalInterface
public interface Schedule {
    double factor(long step, long steps);

    /** Always 1. */
    static Schedule constant() {
        return (step, steps) -> 1;
    }

    /** Falls by a factor every so many steps, at once. */
    static Schedule step(long every, double factor) {
        Check.atLeast("every", every, 1);
        Check.positive("factor", factor);
        return (step, steps) -> Math.pow(factor, (double) Math.floorDiv(step, every));
    }

    /** Falls by a factor over every so many steps, smoothly. */
    static Schedule exponential(long every, double factor) {
        Check.atLeast("every", every, 1);
        Check.positive("factor", factor);
        return (step, steps) -> Math.pow(factor, (double) step / every);
    }

    /** Half a cosine from 1 to {@code end}. */
    static Schedule cosine(double end) {
        Check.within("end", end, 0, 1);
        return (step, steps) -> end + (1 - end) * (1 + Math.cos(Math.PI * step / steps)) / 2;
    }

    /** 1 until the fraction {@code from} of the run, then linearly to {@code end}. */
    static Schedule linear(double from, double end) {
        Check.within("from", from, 0, 1);
        Check.within("end", end, 0, 1);
        return (step, steps) -> {
            double past = (double) step / steps - from;
            return past <= 0 ? 1 : 1 + (end - 1) * past / (1 - from);
        };
    }

    /** This, multiplied with a linear rise over the first steps: 1/warmup, 2/warmup, ... 1. */
    default Schedule afterWarmup(long warmup) {
        Check.atLeast("warmup", warmup, 0);
        return (step, steps) -> factor(step, steps) * (step < warmup ? (step + 1) / (double) warmup : 1);
    }
}

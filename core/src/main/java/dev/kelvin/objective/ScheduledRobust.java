package dev.kelvin.objective;

import java.util.HashMap;
import java.util.Map;

/**
 * {@link Robust} with a β that changes over the run: β · schedule, one value for a whole batch. Asked without a step, it has
 * the full β.
 */
public record ScheduledRobust(double beta, Robust.Variant variant, Course schedule) implements Objective {
    /** A factor on β at a step, counted from 0, of so many. */
    @FunctionalInterface
    public interface Course {
        double factor(long step, long steps);
    }

    /** The β of a step. */
    public static final String BETA = "beta";

    public ScheduledRobust {
        if (beta != 0) {
            new Robust(beta, variant); // checks it
        }
    }

    @Override
    public Objective at(long step, long steps) {
        double now = beta * schedule.factor(step, steps);
        Objective objective = Robust.at(now, variant);
        return new Objective() {
            @Override
            public Loss of(double[] positives, double[] negatives) {
                Loss loss = objective.of(positives, negatives);
                Map<String, Double> parts = new HashMap<>(loss.parts());
                parts.put(BETA, now);
                return new Loss(loss.value(), loss.positiveGradient(), loss.negativeGradient(), parts);
            }

            @Override
            public double samplingScale() {
                return objective.samplingScale();
            }
        };
    }

    @Override
    public Loss of(double[] positives, double[] negatives) {
        return Robust.at(beta, variant).of(positives, negatives);
    }

    @Override
    public double samplingScale() {
        return 1 - beta;
    }
}

package dev.kelvin.model;

import dev.kelvin.part.Check;
import dev.kelvin.part.Default;
import dev.kelvin.part.Doc;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** How samples of a time-joint model are made: its chains are annealed from the noise to the data. */
@Doc("how the model is sampled: chains are annealed from the noise to the data")
public record AnnealingSettings(
        @Doc(
                "basic: on one time after the other; soft: on the marginal of all remaining times; weighted: on a marginal of the"
                        + " remaining times by weights")
        @Default("soft")
        Schedule schedule,

        @Doc("the number of steps at each time") @Default("3")
        int steps,

        @Doc("the largest number of samples of images that figures are computed from: annealed chains are long")
        @Default("10000")
        int samples,

        @Doc(
                value =
                        "for schedule weighted: the relative weights of the time that is reached, the next one, and so on; [1] is"
                                + " basic",
                otherwise = "not weighted")
        Optional<List<Double>> weights) {
    public AnnealingSettings {
        Optional<List<Double>> copy = weights.map(List::copyOf);
        boolean weighted = schedule == Schedule.WEIGHTED;
        Check.all(
                () -> Check.atLeast("steps", steps, 1),
                () -> Check.atLeast("samples", samples, 2),
                () -> Check.require(
                        weighted == copy.isPresent(),
                        "weights",
                        weighted
                                ? "are needed where the schedule is weighted, such as [1, 0.5, 0.25]"
                                : "are for schedule weighted, and it is "
                                        + schedule.name().toLowerCase(Locale.ROOT)),
                () -> copy.ifPresent(given -> {
                    Check.finite("weights", given);
                    Check.require(
                            !given.isEmpty()
                                    && given.get(0) > 0
                                    && given.stream().allMatch(each -> each >= 0),
                            "weights",
                            "must begin with one above 0, which is all that the last time has, and none may be below 0; found "
                                    + given);
                }));
        weights = copy;
    }

    /** One of the two schedules without weights of its own. */
    public AnnealingSettings(Schedule schedule, int steps, int samples) {
        this(schedule, steps, samples, Optional.empty());
    }

    /**
     * p⁽ⁿ⁾(t) where time n is reached: the share of each time in the density that chains are on (general simulated annealing,
     * "Thinking Fourth Dimensionally", algorithm 4).
     */
    double[] shares(int n, int times) {
        double[] shares = new double[times];
        switch (schedule) {
            case BASIC -> shares[n] = 1;
            case SOFT -> Arrays.fill(shares, n, times, 1.0 / (times - n));
            case WEIGHTED -> {
                List<Double> relative = weights.orElseThrow();
                int count = Math.min(relative.size(), times - n);
                double total = relative.subList(0, count).stream()
                        .mapToDouble(Double::doubleValue)
                        .sum();
                for (int i = 0; i < count; i++) {
                    shares[n + i] = relative.get(i) / total;
                }
            }
        }
        return shares;
    }

    /** The densities along which chains are annealed. */
    public enum Schedule {
        /** Each time's own density, one after the other. */
        BASIC,
        /** At each time the marginal of it and all later ones. */
        SOFT,
        /** At each time a marginal of it and later ones by weights. */
        WEIGHTED
    }
}

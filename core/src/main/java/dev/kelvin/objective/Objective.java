package dev.kelvin.objective;

import dev.kelvin.part.Kind;

/**
 * The training objective: a generative part, from f at samples of the data and of the model to a loss and its gradient with
 * respect to those numbers; what f is where a model has several components; and the weight of the label term, the
 * cross-entropy of k. In double, in plain Java: a batch has at most some thousands of numbers, and the table itself stays
 * where it is.
 */
@Kind("objective")
@FunctionalInterface
public interface Objective {
    /** The generative part. */
    Loss of(double[] positives, double[] negatives);

    /** Negatives are expected from exp(scale · f/T). */
    default double samplingScale() {
        return 1;
    }

    /** What f is, of a model with several components. */
    default ContrastedDensity compares() {
        return ContrastedDensity.GIVEN;
    }

    /** The weight of the cross-entropy of the positives' components. */
    default double labels() {
        return 0;
    }

    /** α, by which the generative part is divided in the loss. */
    default Smoothing alpha() {
        return Smoothing.of(1);
    }

    /** Whether there is a generative part, and so negatives, at all. */
    default boolean sampled() {
        return true;
    }

    /** Whether one sample's weight depends on the others' f, so that all must have the same unknown constant. */
    default boolean weighs() {
        return false;
    }

    /** Whether it leaves negatives out by the order of their f, which must all be of one density. */
    default boolean ranks() {
        return false;
    }

    /** Whether one sample's gradient depends on the others' f, so that none can be had without all. */
    default boolean joins() {
        return weighs() || ranks();
    }

    /** Whether it is about f's own level, so that f + c, the same density, has another gradient; beside an L2 penalty. */
    default boolean aboutLevel() {
        return false;
    }

    /** The weight of its L2 penalty on f. */
    default double l2() {
        return 0;
    }

    /** How many positives it takes at least; of each component, where it looks at each alone. */
    default int fewestPositives() {
        return 1;
    }

    /** A step, counted from 0, of {@code steps}, with chains that sample exp(f/T). */
    record Moment(long step, long steps, double temperature) {}

    /** What it is at a moment; the same throughout, unless it follows a schedule or the temperature. */
    default Objective at(Moment now) {
        return this;
    }

    /** Refuses, by the setting, what can't be where chains sample exp(f/T). */
    default void requireTemperature(double temperature) {}

    /** What it is, in words that follow "by". */
    default String words() {
        return "the objective " + dev.kelvin.part.Catalogue.name(getClass());
    }
}

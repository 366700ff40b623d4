package dev.kelvin.objective;

/**
 * What is minimised: from f at samples of the data and of the model to a loss and its gradient with respect to those
 * numbers. In double, in plain Java: a batch has at most some thousands of them.
 */
@FunctionalInterface
public interface Objective {
    Loss of(double[] positives, double[] negatives);

    /** Negatives are expected from exp(scale · f). */
    default double samplingScale() {
        return 1;
    }

    /** What it is at a step of so many; the same throughout, unless it follows a schedule. */
    default Objective at(long step, long steps) {
        return this;
    }

    /** The same plus weight · (mean f₊² + mean f₋²), which keeps f near 0 (IGEBM's energy regularisation). */
    default Objective plusSquares(double weight) {
        return weight == 0 ? this : new Squares(this, weight);
    }
}

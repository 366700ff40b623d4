package dev.kelvin.sample;

import java.util.Optional;

/** A kernel with one step size, which annealing and adaptation may change. */
public interface StepSized<S extends ChainState> extends Kernel<S> {
    /** h, the step size. */
    double stepSize();

    /** Returns a copy with another step size, at the same temperature. */
    StepSized<S> withStepSize(double stepSize);

    /**
     * μ, the length that one step's noise gives each coordinate at T = 1: by it step sizes of different kernels compare.
     * It is √(2h) where the step size is Langevin's h.
     */
    default double stepLength() {
        return Math.sqrt(2 * stepSize());
    }

    /** A kernel as one with a step size, if it is one. */
    static Optional<StepSized<?>> of(Kernel<?> kernel) {
        return kernel instanceof StepSized<?> sized ? Optional.of(sized) : Optional.empty();
    }
}

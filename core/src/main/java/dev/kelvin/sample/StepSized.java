package dev.kelvin.sample;

/** A kernel with one step size, which annealing and adaptation may change. */
public interface StepSized<S extends ChainState> extends Kernel<S> {
    double stepSize();

    /** The same kernel, at the same temperature, with another step size. */
    StepSized<S> withStepSize(double stepSize);
}

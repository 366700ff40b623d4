package dev.kelvin.sample;

import dev.kelvin.energy.LogDensity;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Tensor;

/**
 * A kernel whose step is a differentiable function of where it begins and of the density's parameters, so that a term of the
 * loss can have a gradient through the sampler. An accept/reject step is one with the choice held fixed.
 */
public interface DifferentiableKernel<S extends ChainState> extends Kernel<S> {
    /**
     * Where {@link #step} with this key takes chains that stand at x after {@code taken} steps, as a node of the graph of x and of
     * the density's parameters.
     */
    Tensor moved(Key key, LogDensity target, Tensor x, long taken);

    /** Whether where chains stand and the number of their steps is all that {@link #moved} needs; otherwise {@link #after} it. */
    default boolean resumes() {
        return true;
    }

    /**
     * This kernel for the one next move of chains in a state that {@link #moved} cannot know from x and the number of steps;
     * itself where it needs no more than those.
     */
    default DifferentiableKernel<S> after(S state) {
        return this;
    }
}

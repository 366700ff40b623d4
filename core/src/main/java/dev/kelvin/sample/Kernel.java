package dev.kelvin.sample;

import dev.kelvin.energy.LogDensity;
import dev.kelvin.part.Kind;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Tensor;
import java.util.OptionalDouble;

/**
 * One step of many Markov chains at once: state in, state out. The target is passed at each step, because in training
 * it changes. The state that is passed in stays as it was.
 *
 * <p>Kelvin's own kernels are records of their settings: {@code Mala.of(stepSize)} has every default, and the constructor
 * takes all settings as a recipe does.
 */
@Kind("kernel")
public interface Kernel<S extends ChainState> {
    /** The state of chains that stand at x. */
    S start(LogDensity target, Tensor x);

    /** The state of chains that have taken {@code taken} steps to x; refused by a kernel that remembers more than that. */
    default S resume(LogDensity target, Tensor x, long taken) {
        if (taken > 0 && !traits().memoryless()) {
            throw new IllegalArgumentException(words() + " cannot go on from a position alone");
        }
        return start(target, x);
    }

    /** One step of every chain, with figures about it. */
    Transition<S> step(Key key, LogDensity target, S state);

    /** What the code that runs the chains must know of the kernel. */
    KernelTraits traits();

    /**
     * T at which chains in this state move: the target's or, where it depends on where they are, the mean over chains and
     * coordinates; empty for a kernel without noise.
     */
    default OptionalDouble temperatureAt(S state) {
        return traits().temperature();
    }

    /** The kernel and its step size, for a reader who has not seen the recipe. */
    String words();

    /** Refuses data that it does not fit, by the setting; {@code dimensions} is the number of coordinates of a sample. */
    default void requireFit(long dimensions) {}
}

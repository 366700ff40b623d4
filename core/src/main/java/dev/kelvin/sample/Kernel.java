package dev.kelvin.sample;

import dev.kelvin.energy.LogDensity;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Tensor;

/**
 * One step of many Markov chains at once: state in, state out. The target is passed at each step, because in training
 * it changes. The state that is passed in stays as it was.
 */
public interface Kernel<S extends ChainState> {
    /** The state of chains that stand at x. */
    S start(LogDensity target, Tensor x);

    Transition<S> step(Key key, LogDensity target, S state);

    /** Whether each chain moves as if it were alone, so that they may be moved in parts; not where they look at each other. */
    default boolean movesChainsAlone() {
        return true;
    }
}

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
 * <p>Kelvin's own kernels are records of their settings and are made in one way: {@code Mala.of(stepSize)} has every
 * default, {@code withTemperature}, {@code withClip} and so on give a changed copy, and the constructor takes all settings
 * as a recipe does.
 */
@Kind("kernel")
public interface Kernel<S extends ChainState> {
    /** The state of chains that stand at x. */
    S start(LogDensity target, Tensor x);

    /** The same of chains that have taken so many steps before; of a kernel that remembers more than that, refused. */
    default S resume(LogDensity target, Tensor x, long taken) {
        if (taken > 0 && !memoryless()) {
            throw new IllegalArgumentException(words() + " cannot go on from a position alone");
        }
        return start(target, x);
    }

    /** One step of every chain, with what people want to see of it. */
    Transition<S> step(Key key, LogDensity target, S state);

    /** T of the density exp(f/T) that the chains sample; empty where they sample none that is known. */
    OptionalDouble targetTemperature();

    /** Whether the temperature differs from place to place, so that only {@link #temperatureAt} tells it. */
    default boolean temperatureVaries() {
        return false;
    }

    /**
     * T at which chains in this state move: the target's, or, where that depends on where they are, the mean over chains and
     * coordinates; empty for a kernel without noise.
     */
    default OptionalDouble temperatureAt(S state) {
        return targetTemperature();
    }

    /** Whether proposals go through an accept/reject step. */
    boolean adjusted();

    /** The kernel and its step size, told to somebody who has not read the recipe. */
    String words();

    /**
     * The acceptance at which the kernel moves furthest for its cost; empty for a kernel whose step size can't be adapted
     * to an acceptance.
     */
    default OptionalDouble bestAcceptance() {
        return OptionalDouble.empty();
    }

    /**
     * Whether the state is the position alone, with f and its gradient there, so that the chain may be started anew at any
     * step, and anywhere, without a change of what it does.
     */
    default boolean memoryless() {
        return false;
    }

    /** Whether each chain moves as if it were alone, so that they may be moved in parts; not where they look at each other. */
    default boolean movesChainsAlone() {
        return true;
    }

    /**
     * Whether a step looks at numbers on the host, as an accept/reject step does, or brings some from there, other than
     * normal ones of its key; if not, a walk on a GPU can be recorded and started as a whole.
     */
    default boolean decidesOnHost() {
        return true;
    }

    /** Refuses data that it does not fit, by the setting; {@code dimensions} is how many numbers a sample has. */
    default void requireFit(long dimensions) {}

    /** Whether chains push each other, as particles do, so that all rows of a batch must be of one density. */
    default boolean interacts() {
        return false;
    }
}

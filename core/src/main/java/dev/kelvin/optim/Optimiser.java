package dev.kelvin.optim;

import dev.kelvin.part.Kind;
import dev.kelvin.tensor.Tensor;
import java.util.Optional;
import java.util.OptionalDouble;

/** How the parameters move: the settings of an optimiser, which {@link #start} makes one of. */
@Kind("optimiser")
public interface Optimiser {
    /** The learning rate that the schedule multiplies. */
    double learningRate();

    /** The pull of the parameters to 0. */
    double weightDecay();

    /** How the rate changes during a run. */
    Schedule schedule();

    /** The largest norm of the gradient. */
    OptionalDouble clipNorm();

    /** Where the gradient of a step is taken: after a climb from the parameters; empty where at the parameters themselves. */
    default Optional<Sam.Climb> climb() {
        return Optional.empty();
    }

    /** For a vector like this one. */
    OptimiserState start(Tensor parameters);

    /** What it is called in a sentence. */
    default String words() {
        return getClass().getSimpleName();
    }
}

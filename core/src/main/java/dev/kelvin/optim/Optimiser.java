package dev.kelvin.optim;

import dev.kelvin.Kind;
import dev.kelvin.tensor.Tensor;
import java.util.OptionalDouble;

/** How the parameters move: the settings of an optimiser, which {@link #start} makes one of. */
@Kind("optimiser")
public interface Optimiser {
    double learningRate();

    double weightDecay();

    Schedule schedule();

    /** The largest norm of the gradient. */
    OptionalDouble clipNorm();

    /** For a vector like this one. */
    OptimiserState start(Tensor parameters);

    /** What it is called in a sentence. */
    default String words() {
        return getClass().getSimpleName();
    }
}

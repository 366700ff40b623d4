package dev.kelvin.optim;

import dev.kelvin.tensor.State;
import dev.kelvin.tensor.Tensor;

/** An optimiser at work: moves the flat parameter vector against a gradient, and remembers what it needs between steps. */
public interface OptimiserState extends AutoCloseable {
    /** One step at this learning rate; changes {@code parameters} in place. */
    void step(Tensor parameters, Tensor gradient, double learningRate);

    /** Puts what it remembers between steps into the state. */
    void save(State state);

    /** Takes out of a saved state what {@link #save} put in. */
    void load(State state);

    @Override
    void close();
}

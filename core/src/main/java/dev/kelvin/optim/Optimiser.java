package dev.kelvin.optim;

import dev.kelvin.tensor.State;
import dev.kelvin.tensor.Tensor;

/** Moves the flat parameter vector against a gradient. */
public interface Optimiser extends AutoCloseable {
    /** One step at this learning rate; changes {@code parameters} in place. */
    void step(Tensor parameters, Tensor gradient, double learningRate);

    /** Puts what it remembers between steps into the state. */
    void save(State state);

    void load(State state);

    @Override
    void close();
}

package dev.kelvin.optim;

import dev.kelvin.tensor.Stateful;
import dev.kelvin.tensor.Tensor;

/** An optimiser at work: moves the flat parameter vector against a gradient, and remembers what it needs between steps. */
public interface OptimiserState extends Stateful {
    /** One step at this learning rate; changes {@code parameters} in place. */
    void step(Tensor parameters, Tensor gradient, double learningRate);
}

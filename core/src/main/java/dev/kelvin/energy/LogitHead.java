package dev.kelvin.energy;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.kelvin.part.Check;
import dev.kelvin.tensor.Tensor;

/** Each output of the network is a component: a plain energy has one, a model with classes one for each. */
public record LogitHead(@JsonProperty("columns") int components) implements Head {
    public LogitHead {
        Check.atLeast("components", components, 1);
    }

    @Override
    public boolean hasLogits() {
        return true;
    }

    @Override
    public Tensor table(Tensor outputs, Tensor seen) {
        return outputs;
    }

    @Override
    public Tensor inputGradient(Tensor gradient, Tensor seen, Tensor weights, double total) {
        return gradient;
    }
}

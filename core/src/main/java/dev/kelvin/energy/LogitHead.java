package dev.kelvin.energy;

import dev.kelvin.part.Check;
import dev.kelvin.tensor.Tensor;
import java.util.Arrays;

/** Each output of the network is a column: a plain energy has one, a model with classes one for each. */
public record LogitHead(int columns) implements Head {
    public LogitHead {
        Check.atLeast("columns", columns, 1);
    }

    @Override
    public int outputs() {
        return columns;
    }

    @Override
    public Tensor seen(Tensor x) {
        return x;
    }

    @Override
    public Tensor table(Tensor outputs, Tensor seen) {
        return outputs;
    }

    @Override
    public Tensor outputWeights(Tensor weights) {
        return weights;
    }

    @Override
    public Tensor inputGradient(Tensor gradient, Tensor seen, double total) {
        return gradient;
    }

    /** All columns together. */
    @Override
    public double[] data() {
        return new double[columns];
    }

    @Override
    public double[] firstSteps() {
        double[] ones = new double[columns];
        Arrays.fill(ones, 1);
        return ones;
    }
}

package dev.kelvin.model;

import dev.kelvin.tensor.Tensor;

/** The way between the units in which samples are stored and a model's coordinates. */
public interface Units {
    /** Stored samples [n, ...] in the model's coordinates z. */
    Tensor toModel(Tensor x);

    /** The model's samples [n, ...] in the units in which they are stored. */
    Tensor fromModel(Tensor z);

    /** log |dz/dx| of stored samples: the log-density of a sample in its own units is that of its z plus this. */
    default double[] logDeterminant(Tensor x) {
        return new double[(int) x.size(0)];
    }
}

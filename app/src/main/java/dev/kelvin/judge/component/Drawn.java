package dev.kelvin.judge.component;

import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;

/**
 * Samples copied out of native memory, so that they outlive the scope they were drawn in.
 *
 * @param values by rows
 * @param shape the first dimension counts the samples
 */
public record Drawn(float[] values, long... shape) {
    /** Copies a tensor. */
    public static Drawn of(Tensor x) {
        return new Drawn(x.toFloats(), x.shape());
    }

    /** How many samples there are. */
    public int count() {
        return (int) shape[0];
    }

    /** A tensor of them on the CPU, in the current scope. */
    public Tensor tensor() {
        return Tensors.of(values, shape);
    }
}

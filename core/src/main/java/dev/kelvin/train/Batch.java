package dev.kelvin.train;

import dev.kelvin.tensor.Tensor;

/** Samples of the data [n, ...], and the class of each; all of class 0 where there are no classes. */
public record Batch(Tensor x, long[] labels) {
    public Batch {
        if (labels.length != x.size(0)) {
            throw new IllegalArgumentException(labels.length + " labels do not fit the samples " + x);
        }
    }

    /** Samples without classes. */
    public static Batch of(Tensor x) {
        return new Batch(x, new long[(int) x.size(0)]);
    }
}

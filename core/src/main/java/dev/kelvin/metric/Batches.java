package dev.kelvin.metric;

import dev.kelvin.energy.LogDensity;
import dev.kelvin.part.InvalidInputException;
import dev.kelvin.tensor.NoGrad;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;

/** f at many samples, some at a time, without a graph: memory stays bounded however many there are. */
public final class Batches {
    /** A few megabytes a layer for networks of a few hundred units. */
    public static final int SIZE = 2048;

    private Batches() {}

    /** f at each of the samples. */
    public static double[] values(LogDensity f, Tensor samples) {
        double[] values = new double[Math.toIntExact(samples.size(0))];
        try (NoGrad noGrad = NoGrad.open()) {
            for (int start = 0; start < values.length; start += SIZE) {
                try (Scope scope = Scope.open()) {
                    Tensor x = samples.narrow(0, start, Math.min(SIZE, values.length - start));
                    double[] part = f.at(x).toDoubles();
                    if (part.length != x.size(0)) {
                        throw new IllegalArgumentException("the density returned " + part.length + " values for " + x
                                + "; expected one value a sample");
                    }
                    System.arraycopy(part, 0, values, start, part.length);
                }
            }
        }
        return values;
    }

    /** Refuses what is not a feature vector a sample, [n, d], or has fewer rows than a figure needs. */
    public static void checkFeatures(String figure, Tensor features, int least) {
        if (features.dim() != 2 || features.size(1) < 1) {
            throw new IllegalArgumentException(figure + " takes a feature vector a sample, [n, d]; found " + features);
        }
        if (features.size(0) < least) {
            throw new InvalidInputException(
                    figure + " takes " + least + " or more feature vectors, found " + features.size(0));
        }
    }
}

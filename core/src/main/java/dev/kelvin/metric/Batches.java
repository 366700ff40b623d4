package dev.kelvin.metric;

import dev.kelvin.energy.LogDensity;
import dev.kelvin.part.InvalidInputException;
import dev.kelvin.tensor.NoGrad;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.util.function.IntFunction;

/** f at many samples, some at a time, without a graph: memory stays bounded however many there are. */
public final class Batches {
    /** A few megabytes a layer for networks of a few hundred units. */
    public static final int SIZE = 2048;

    private Batches() {}

    /** f at each of the samples. */
    public static double[] values(LogDensity f, Tensor samples) {
        int count = Math.toIntExact(samples.size(0));
        return values(f, count, start -> samples.narrow(0, start, Math.min(SIZE, count - start)));
    }

    /** f at {@code count} samples, made by {@code batch} for each start 0, SIZE, 2 SIZE, .... */
    public static double[] values(LogDensity f, int count, IntFunction<Tensor> batch) {
        double[] values = new double[count];
        try (NoGrad noGrad = NoGrad.open()) {
            for (int start = 0; start < count; start += SIZE) {
                try (Scope scope = Scope.open()) {
                    Tensor x = batch.apply(start);
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

    /** How many feature vectors of [n, d] hold a NaN or an infinity; copies only blocks that do. */
    public static int notFiniteRows(Tensor features) {
        int count = 0;
        for (long start = 0; start < features.size(0); start += SIZE) {
            try (Scope scope = Scope.open()) {
                Tensor block = features.narrow(0, start, Math.min(SIZE, features.size(0) - start));
                count += block.allFinite() ? 0 : notFiniteRows(block.toDoubles(), (int) block.size(1));
            }
        }
        return count;
    }

    /** How many rows of this length hold a NaN or an infinity. */
    public static int notFiniteRows(double[] values, int length) {
        int count = 0;
        for (int row = 0; row < values.length; row += length) {
            boolean finite = true;
            for (int i = row; i < row + length; i++) {
                finite &= Double.isFinite(values[i]);
            }
            count += finite ? 0 : 1;
        }
        return count;
    }
}

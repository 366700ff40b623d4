package dev.kelvin.metric.image;

import dev.kelvin.metric.Subset;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * A figure at infinitely many samples, X∞, from its values at several sizes N: as the bias of FID and others falls with
 * 1/N, the least-squares line
 *
 * <pre>v = X∞ + b/N</pre>
 *
 * meets the axis 1/N = 0 at X∞. At each size the figure is that of N samples drawn without putting back, by a key of its own.
 * X∞ is NaN where a vector is not finite, whether it was drawn or not. Source: Chong and Forsyth 2020, section 3.
 */
public final class Extrapolation {
    private Extrapolation() {}

    /** Sample sizes, {@code count} of them, evenly from low to high. */
    public static int[] sizes(int low, int high, int count) {
        return IntStream.range(0, count)
                .map(i -> (int) Math.round(low + (double) (high - low) * i / (count - 1)))
                .toArray();
    }

    /** FID∞: some of the features [n, d] at a time, against the whole reference, whose own bias stays. */
    public static double frechet(Key key, Tensor features, Moments reference, int... sizes) {
        double[] values = new double[sizes.length];
        for (int i = 0; i < sizes.length; i++) {
            try (Scope scope = Scope.open();
                    Moments moments =
                            Moments.of(features.rows(Subset.draw(key.child(i), features.size(0), sizes[i])))) {
                values[i] = FrechetDistance.of(moments, reference);
            }
        }
        return features.allFinite() ? of(sizes, values) : Double.NaN;
    }

    /** KID∞, with as many of both sets at a time. KID is unbiased: expect a slope of 0 within its error. */
    public static double kernel(Key key, Tensor features, Tensor reference, int... sizes) {
        boolean finite = features.allFinite() && reference.allFinite();
        return finite ? of(sizes, KernelDistance.ofSubsets(key, features, reference, sizes)) : Double.NaN;
    }

    /** X∞ by a figure's values at two or more different sizes; NaN if a value is not finite. */
    static double of(int[] sizes, double... values) {
        double[] x = Arrays.stream(sizes).mapToDouble(size -> 1.0 / size).toArray();
        double meanX = Arrays.stream(x).sum() / x.length;
        double meanY = Arrays.stream(values).sum() / x.length;
        double xx = 0;
        double xy = 0;
        for (int i = 0; i < x.length; i++) {
            xx += (x[i] - meanX) * (x[i] - meanX);
            xy += (x[i] - meanX) * (values[i] - meanY);
        }
        return meanY - xy / xx * meanX;
    }
}

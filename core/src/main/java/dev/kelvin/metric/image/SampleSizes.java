package dev.kelvin.metric.image;

import dev.kelvin.metric.Batches;
import dev.kelvin.metric.Subset;
import dev.kelvin.part.Check;
import dev.kelvin.part.InvalidInputException;
import dev.kelvin.part.SettingException;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The sizes at which a figure is taken for its {@link Extrapolation}: {@code count} of them, evenly from low to high. At each
 * size N the figure is that of N samples drawn without putting back, by a key of its own. Where a vector is not finite, every
 * point is NaN, whether it was drawn or not.
 */
public record SampleSizes(int low, int high, int count) {
    /** Of the paper on thermodynamic integration. */
    public static final SampleSizes DEFAULT = new SampleSizes(1000, 4500, 10);

    public SampleSizes {
        Check.atLeast("low", low, 2);
        Check.atLeast("count", count, 2);
        if (high < low + count - 1) {
            throw new SettingException(
                    "high", "must leave room for " + count + " different sizes from " + low + ", found " + high);
        }
    }

    /** linspace(low, high, count), rounded. */
    public int[] sizes() {
        int[] sizes = new int[count];
        for (int i = 0; i < count; i++) {
            sizes[i] = (int) Math.round(low + (double) (high - low) * i / (count - 1));
        }
        return sizes;
    }

    /** FID∞: N of the features [n, d] at a time, against the whole reference, whose own bias stays. */
    public Extrapolation frechet(Key key, Tensor features, Moments reference) {
        checkEnough(features);
        boolean finite = Batches.notFiniteRows(features) == 0;
        List<Extrapolation.Point> points = new ArrayList<>();
        for (int size : sizes()) {
            try (Scope scope = Scope.open()) {
                Key own = key.child(points.size());
                points.add(
                        new Extrapolation.Point(size, finite ? frechet(own, features, reference, size) : Double.NaN));
            }
        }
        return Extrapolation.of(points);
    }

    private static double frechet(Key key, Tensor features, Moments reference, int size) {
        try (Moments moments = Moments.of(features.rows(Subset.draw(key, features.size(0), size)))) {
            return FrechetDistance.of(moments, reference).value();
        }
    }

    /** KID∞, with N of both sets whole at a time. KID is unbiased: expect a slope of 0 within its error. */
    public Extrapolation kernel(Key key, Tensor features, Tensor reference, FeatureKernel kernel) {
        checkEnough(features);
        checkEnough(reference);
        boolean finite = Batches.notFiniteRows(features) + Batches.notFiniteRows(reference) == 0;
        int[] sizes = sizes();
        double[] values = new double[count];
        Arrays.fill(values, Double.NaN);
        if (finite) {
            values = KernelDistance.ofSubsets(key, features, reference, kernel, sizes);
        }
        List<Extrapolation.Point> points = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            points.add(new Extrapolation.Point(sizes[i], values[i]));
        }
        return Extrapolation.of(points);
    }

    private void checkEnough(Tensor features) {
        Batches.checkFeatures("an extrapolation", features, 2);
        if (features.size(0) < high) {
            throw new InvalidInputException("sizes up to " + high + " take as many feature vectors, found "
                    + features.size(0) + "; draw more samples or set a lower high");
        }
    }
}

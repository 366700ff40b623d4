package dev.kelvin.metric;

import dev.kelvin.Check;
import dev.kelvin.SettingException;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleBiFunction;

/**
 * The sizes at which a figure is taken for its {@link Extrapolation}: {@code count} of them, evenly from low to high. At each
 * size N the figure is that of N samples drawn without putting back, by a key of its own.
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
        return along(key, finite, (own, size) -> {
            try (Moments moments = Moments.of(features.rows(Subset.draw(own, features.size(0), size)))) {
                return FrechetDistance.of(moments, reference).value();
            }
        });
    }

    /** KID∞, with N of both sets whole at a time. KID is unbiased: expect a slope of 0 within its error. */
    public Extrapolation kernel(Key key, Tensor features, Tensor reference, FeatureKernel kernel) {
        checkEnough(features);
        checkEnough(reference);
        boolean finite = Batches.notFiniteRows(features) + Batches.notFiniteRows(reference) == 0;
        return along(key, finite, (own, size) -> {
            Key[] keys = own.split(2);
            Tensor x = features.rows(Subset.draw(keys[0], features.size(0), size));
            Tensor y = reference.rows(Subset.draw(keys[1], reference.size(0), size));
            return KernelDistance.whole(x, y, kernel).mean();
        });
    }

    /** Where a vector is not finite, every point is NaN, whether it was drawn or not. */
    private Extrapolation along(Key key, boolean finite, ToDoubleBiFunction<Key, Integer> figure) {
        List<Extrapolation.Point> points = new ArrayList<>();
        for (int size : sizes()) {
            try (Scope scope = Scope.open()) {
                Key own = key.child(points.size());
                double value = finite ? figure.applyAsDouble(own, size) : Double.NaN;
                points.add(new Extrapolation.Point(size, value));
            }
        }
        return Extrapolation.of(points);
    }

    private void checkEnough(Tensor features) {
        Batches.checkFeatures("an extrapolation", features, 2);
        if (features.size(0) < high) {
            throw new IllegalArgumentException("sizes up to " + high + " take as many feature vectors, found "
                    + features.size(0) + "; draw more samples or set a lower high");
        }
    }
}

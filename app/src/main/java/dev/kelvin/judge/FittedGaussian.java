package dev.kelvin.judge;

import dev.kelvin.data.image.ImageSet;
import dev.kelvin.dataset.ImageDataset;
import dev.kelvin.energy.Gaussian;
import dev.kelvin.metric.image.Moments;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;

/** Images from the Gaussian with the mean and covariance of a set's pixels: a baseline that a model must beat. */
interface FittedGaussian {
    /** Added to the pixels' variances: sets have pixels that never change, and those have no Gaussian. */
    double RIDGE = 1e-6;

    /** Some images [count, channels, height, width] in [0, 1], on the CPU. */
    Tensor draw(Key key, int count);

    /** Fitted to all images of a set; for use in the scope that is open now. */
    static FittedGaussian of(ImageSet set) {
        int pixels = set.channels() * set.height() * set.width();
        return set.count() > pixels ? ofMoments(set) : ofImages(set, pixels);
    }

    private static FittedGaussian ofMoments(ImageSet set) {
        try (Scope scope = Scope.open();
                Moments moments = ImageDataset.moments(set, 256, ImageDataset.range(0, set.count()))) {
            Gaussian fitted = Gaussian.of(moments.mean(), moments.covariance(), variance -> variance + RIDGE);
            return (key, count) -> images(fitted.draw(key, count), set);
        }
    }

    /**
     * Of no more images than pixels, whose matrix of covariances would be large and singular: with standard normal z and ε,
     *
     * <pre>μ + Σᵢ zᵢ(xᵢ − μ)/√(n − 1) + √ridge ε</pre>
     *
     * has their mean and covariance, ridge included.
     */
    private static FittedGaussian ofImages(ImageSet set, int pixels) {
        Tensor x = set.images(ImageDataset.range(0, set.count())).to(Device.CPU).flattenSamples();
        Tensor mean = x.mean(0L);
        Tensor scaled = x.minus(mean).times(1 / Math.sqrt(Math.max(1, set.count() - 1)));
        return (key, count) -> {
            Key[] keys = key.split(2);
            Tensor weights = Tensors.normal(keys[0], x.dtype(), Device.CPU, count, set.count());
            Tensor noise = Tensors.normal(keys[1], x.dtype(), Device.CPU, count, pixels);
            return images(weights.matmul(scaled).plus(mean).plus(noise.times(Math.sqrt(RIDGE))), set);
        };
    }

    private static Tensor images(Tensor x, ImageSet set) {
        return x.reshape(x.size(0), set.channels(), set.height(), set.width()).clampInPlace(0, 1);
    }
}

package dev.kelvin.condition;

import dev.kelvin.data.image.ImageSet;
import dev.kelvin.dataset.ImageDataset;
import dev.kelvin.energy.ConditionalGaussian;
import dev.kelvin.metric.image.Moments;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.Arrays;
import java.util.function.UnaryOperator;

/**
 * What a Gaussian with the training images' mean and covariance says of lost pixels or of noisy images, in [0, 1]: what a
 * model's restorations are compared with. Its tensors live in the scope in which it is made.
 *
 * @param gaussian of the lost pixels given the others, or of an image given that with noise
 * @param free the lost pixels; none for noisy images
 */
public record GaussianRestoration(ConditionalGaussian gaussian, boolean[] free) {
    /** Added to each variance, so that pixels that hardly ever change do not count as certain. */
    public static final double RIDGE = 1e-4;

    private static final int BATCH = 500;

    public GaussianRestoration {
        free = free.clone();
    }

    @Override
    public boolean[] free() {
        return free.clone();
    }

    /** Of lost pixels, given the others. */
    public static GaussianRestoration filling(ImageSet train, boolean... free) {
        try (Moments moments = moments(train)) {
            return new GaussianRestoration(new ConditionalGaussian(moments.mean(), ridged(moments), free), free);
        }
    }

    /** Of images, given those with noise: x and y = x + σξ together are Gaussian. */
    public static GaussianRestoration denoising(ImageSet train, double sigma) {
        try (Moments moments = moments(train)) {
            Tensor covariance = ridged(moments);
            Tensor noisy = covariance.copy();
            noisy.diagonal().addNumberInPlace(sigma * sigma);
            Tensor both =
                    Tensors.concat(0, Tensors.concat(1, covariance, covariance), Tensors.concat(1, covariance, noisy));
            boolean[] asked = new boolean[2 * moments.dimensions()];
            Arrays.fill(asked, 0, moments.dimensions(), true);
            Tensor mean = Tensors.concat(0, moments.mean(), moments.mean());
            return new GaussianRestoration(new ConditionalGaussian(mean, both, asked), new boolean[0]);
        }
    }

    private static Moments moments(ImageSet train) {
        return ImageDataset.moments(train, BATCH, ImageDataset.range(0, train.count()));
    }

    private static Tensor ridged(Moments moments) {
        Tensor covariance = moments.covariance();
        covariance.diagonal().addNumberInPlace(RIDGE);
        return covariance;
    }

    /** The conditional mean of each image, cut off at black and white as all are. */
    public Tensor mean(Tensor damaged) {
        return whole(damaged, gaussian::mean);
    }

    /** A draw of each image. */
    public Tensor draw(Key key, Tensor damaged) {
        return whole(damaged, given -> gaussian.draw(key, given));
    }

    /** What the Gaussian answers, asked with [n, d], or with [n, 2d] and anything at x, beside what is known. */
    private Tensor whole(Tensor damaged, UnaryOperator<Tensor> answer) {
        try (Scope scope = Scope.open()) {
            Tensor flat = damaged.to(Device.CPU).flattenSamples();
            double[] pixels = answer.apply(free.length == 0 ? Tensors.concat(1, flat, flat) : flat)
                    .toDoubles();
            if (free.length > 0) {
                double[] all = damaged.to(DType.DOUBLE).toDoubles();
                int next = 0;
                for (int i = 0; i < all.length; i++) {
                    all[i] = free[i % free.length] ? pixels[next++] : all[i];
                }
                pixels = all;
            }
            return scope.keep(Tensors.like(damaged, pixels, damaged.shape()).clampInPlace(0, 1));
        }
    }
}

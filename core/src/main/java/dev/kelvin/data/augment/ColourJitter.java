package dev.kelvin.data.augment;

import dev.kelvin.part.Check;
import dev.kelvin.part.Cites;
import dev.kelvin.part.Default;
import dev.kelvin.part.Doc;
import dev.kelvin.part.Words;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.Arrays;
import java.util.random.RandomGenerator;

/**
 * Colour jitter: changes the light and the colours of each image with this probability (SimCLR, Chen et al. 2020, appendix
 * A). With b, c and s uniform on 1 ± strength·(brightness, contrast, saturation), t uniform on ± strength·hue of a full turn,
 * m the mean luminance of b·x:
 *
 * <pre>x' = hue(t) · saturation(s) · (c·b·x + (1 − c)·m),  then clamped to [0, 1].</pre>
 *
 * <p>An image that is not changed is not clamped either: a chain's samples may lie beyond [0, 1].
 *
 * <p>Differs from torchvision: the order is fixed, the clamp comes once at the end, and hue is a rotation about the axis of
 * greys. So the whole is one matrix an image. Images with one channel have neither saturation nor hue.
 */
@Doc("colour jitter: random brightness, contrast, saturation and hue")
@Cites("chen2020")
public record ColourJitter(
        @Doc("factor of the four ranges; 1 is SimCLR's strength") @Default("1")
        double strength,

        @Doc("range of the factor of brightness about 1") @Default("0.8")
        double brightness,

        @Doc("range of the factor of contrast about 1") @Default("0.8")
        double contrast,

        @Doc("range of the factor of saturation about 1") @Default("0.8")
        double saturation,

        @Doc("range of the rotation of hue, as a fraction of a full turn") @Default("0.2")
        double hue,

        @Doc("the probability that an image is changed") @Default("0.8")
        double share)
        implements Augmentation {
    public ColourJitter {
        Check.all(
                () -> Check.within("strength", strength, 0, 1),
                () -> Check.within("brightness", brightness, 0, 1),
                () -> Check.within("contrast", contrast, 0, 1),
                () -> Check.within("saturation", saturation, 0, 1),
                () -> Check.within("hue", hue, 0, 0.5),
                () -> Check.within("share", share, 0, 1));
    }

    @Override
    public String words() {
        return "colour jitter of " + Math.round(100 * share) + "% of images, strength " + Words.number(strength);
    }

    @Override
    public Tensor apply(Key key, Tensor images) {
        int[] shape = PixelMap.shape(images);
        int n = shape[0];
        boolean colours = shape[1] == 3;
        RandomGenerator random = key.stream();
        double[] matrices = new double[n * 9];
        double[] gains = new double[n];
        boolean[] changed = new boolean[n];
        double[] shares = new double[n]; // of the mean luminance: (1 − c)·b
        for (int image = 0; image < n; image++) {
            changed[image] = random.nextDouble() < share;
            double b = around(random, 1, strength * brightness);
            double c = around(random, 1, strength * contrast);
            double s = around(random, 1, strength * saturation);
            double t = around(random, 0, strength * hue);
            gains[image] = changed[image] ? c * b : 1;
            shares[image] = changed[image] ? (1 - c) * b : 0;
            double[] matrix = changed[image]
                    ? ColourMatrix.times(ColourMatrix.hue(t), ColourMatrix.saturation(s))
                    : ColourMatrix.IDENTITY;
            for (int i = 0; i < 9; i++) {
                matrices[image * 9 + i] = gains[image] * matrix[i];
            }
        }
        try (Scope scope = Scope.open()) {
            Tensor turned = colours
                    ? ColourMatrix.apply(images, matrices)
                    : images.times(Tensors.like(images, gains, n, 1, 1, 1));
            Tensor lift =
                    luminance(images).times(Tensors.like(images, shares, n)).reshape(n, 1, 1, 1);
            return scope.keep(turned.plus(lift).clamp(0, 1).rowsWhere(changed, images));
        }
    }

    private static double around(RandomGenerator random, double centre, double reach) {
        return centre + reach * (2 * random.nextDouble() - 1);
    }

    /** Every image's mean luminance, [n]; of channels that are not three, their mean. */
    private static Tensor luminance(Tensor images) {
        int channels = (int) images.size(1);
        double[] weights = {Greyscale.RED, Greyscale.GREEN, Greyscale.BLUE};
        if (channels != 3) {
            weights = new double[channels];
            Arrays.fill(weights, 1.0 / channels);
        }
        return images.mean(2L, 3L).times(Tensors.like(images, weights)).sum(1L);
    }
}

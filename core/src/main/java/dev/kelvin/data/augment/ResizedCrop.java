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
import java.util.random.RandomGenerator;

/**
 * Random resized crop: shows a random window of each image in the image's full size, between pixels bilinear. The window
 * has a share of the area that is uniform on [least, most], and a width that is up to {@code stretch} times its height or
 * the other way round, uniform in the logarithm (Szegedy et al. 2015, section 6; SimCLR's crop).
 *
 * <p>Differs from torchvision: where ten windows in a row do not fit, the whole image is shown, not its middle.
 */
@Doc("random resized crop")
@Cites("szegedy2015")
public record ResizedCrop(
        @Doc("the smallest fraction of the image's area that a crop covers") @Default("0.08")
        double least,

        @Doc("the largest fraction of the image's area that a crop covers") @Default("1")
        double most,

        @Doc("the largest aspect ratio of a crop, either way") @Default("1.3333333333333333")
        double stretch)
        implements Augmentation {
    private static final int TRIES = 10;

    public ResizedCrop {
        Check.all(
                () -> Check.require(
                        least > 0 && least <= 1,
                        "least",
                        "must be above 0 and at most 1, found " + Words.number(least)),
                () -> Check.require(
                        most > 0 && most <= 1, "most", "must be above 0 and at most 1, found " + Words.number(most)),
                () -> Check.require(
                        stretch >= 1 && Double.isFinite(stretch),
                        "stretch",
                        "must be 1 or more, found " + Words.number(stretch)));
        Check.require(
                least <= most,
                "most",
                "must not be below least, " + Words.number(least) + ", found " + Words.number(most));
    }

    @Override
    public String words() {
        return "random resized crop of " + Math.round(100 * least) + "% to " + Math.round(100 * most) + "% of the area";
    }

    @Override
    public Tensor apply(Key key, Tensor images) {
        int[] shape = PixelMap.shape(images);
        int height = shape[2];
        int width = shape[3];
        RandomGenerator random = key.stream();
        double[] windows = new double[shape[0] * 6];
        for (int image = 0; image < shape[0]; image++) {
            int[] window = window(random, height, width);
            int at = image * 6; // rows (w/W, 0, centre) and (0, h/H, centre), on axes from −1 to 1
            windows[at] = (double) window[3] / width;
            windows[at + 2] = (2.0 * window[1] + window[3]) / width - 1;
            windows[at + 4] = (double) window[2] / height;
            windows[at + 5] = (2.0 * window[0] + window[2]) / height - 1;
        }
        try (Scope scope = Scope.open()) {
            return scope.keep(images.throughWindows(Tensors.like(images, windows, shape[0], 2, 3)));
        }
    }

    /** Top, left, height and width. */
    int[] window(RandomGenerator random, int height, int width) {
        double bound = Math.log(stretch);
        for (int attempt = 0; attempt < TRIES; attempt++) {
            double area = (least + (most - least) * random.nextDouble()) * height * width;
            double ratio = Math.exp(bound * (2 * random.nextDouble() - 1));
            int w = (int) Math.max(1, Math.round(Math.sqrt(area * ratio)));
            int h = (int) Math.max(1, Math.round(Math.sqrt(area / ratio)));
            if (w <= width && h <= height) {
                return new int[] {random.nextInt(height - h + 1), random.nextInt(width - w + 1), h, w};
            }
        }
        return new int[] {0, 0, height, width};
    }
}

package dev.kelvin.data.augment;

import dev.kelvin.part.Check;
import dev.kelvin.part.Default;
import dev.kelvin.part.Doc;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.util.random.RandomGenerator;

/**
 * Random greyscale: takes the colours from each image with this probability. Every channel becomes .299 red + .587
 * green + .114 blue, the
 * luminance of ITU-R BT.601. Images with one channel stay as they are.
 */
@Doc("random greyscale")
public record Greyscale(
        @Doc("the probability of greyscale") @Default("0.2") double share) implements Augmentation {
    public static final double RED = 0.299;
    public static final double GREEN = 0.587;
    public static final double BLUE = 0.114;

    public Greyscale {
        Check.within("share", share, 0, 1);
    }

    @Override
    public String words() {
        return "random greyscale of " + Math.round(100 * share) + "% of images";
    }

    @Override
    public Tensor apply(Key key, Tensor images) {
        int[] shape = PixelMap.shape(images);
        if (shape[1] != 3) {
            return images;
        }
        RandomGenerator random = key.stream();
        double[] grey = ColourMatrix.saturation(0);
        double[] matrices = new double[shape[0] * 9];
        for (int image = 0; image < shape[0]; image++) {
            double[] matrix = random.nextDouble() < share ? grey : ColourMatrix.IDENTITY;
            System.arraycopy(matrix, 0, matrices, image * 9, 9);
        }
        try (Scope scope = Scope.open()) {
            return scope.keep(ColourMatrix.apply(images, matrices));
        }
    }
}

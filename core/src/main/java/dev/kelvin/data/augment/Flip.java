package dev.kelvin.data.augment;

import dev.kelvin.Check;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Tensor;
import java.util.random.RandomGenerator;

/** Turns left and right of each image around with this probability. */
public record Flip(double probability) implements Augmentation {
    /** Half of the images. */
    public Flip() {
        this(0.5);
    }

    public Flip {
        Check.within("probability", probability, 0, 1);
    }

    @Override
    public Tensor apply(Key key, Tensor images) {
        int[] shape = PixelMap.shape(images);
        int height = shape[2];
        int width = shape[3];
        RandomGenerator random = key.stream();
        int[] rows = new int[shape[0] * height];
        int[] columns = new int[shape[0] * width];
        for (int image = 0; image < shape[0]; image++) {
            boolean turned = random.nextDouble() < probability;
            for (int y = 0; y < height; y++) {
                rows[image * height + y] = y;
            }
            for (int x = 0; x < width; x++) {
                columns[image * width + x] = turned ? width - 1 - x : x;
            }
        }
        return new PixelMap(rows, columns).apply(images);
    }
}

package dev.kelvin.data.augment;

import dev.kelvin.data.image.PixelRange;
import dev.kelvin.part.Check;
import dev.kelvin.part.Default;
import dev.kelvin.part.Doc;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Tensor;
import java.util.Arrays;
import java.util.random.RandomGenerator;

/** Random horizontal flip: mirrors each image left to right with this probability. */
@Doc("random horizontal flip")
public record Flip(
        @Doc("the probability of a flip") @Default("0.5") double share) implements Augmentation {
    public Flip {
        Check.within("share", share, 0, 1);
    }

    /** Pixels only move, whatever their values. */
    @Override
    public Augmentation within(PixelRange range) {
        return this;
    }

    @Override
    public String words() {
        return "random horizontal flip";
    }

    @Override
    public Tensor apply(Key key, Tensor images) {
        int[] shape = PixelMap.shape(images);
        int height = shape[2];
        int width = shape[3];
        RandomGenerator random = key.stream();
        int[] rows = new int[shape[0] * height];
        Arrays.setAll(rows, i -> i % height);
        int[] columns = new int[shape[0] * width];
        for (int image = 0; image < shape[0]; image++) {
            boolean flipped = random.nextDouble() < share;
            for (int x = 0; x < width; x++) {
                columns[image * width + x] = flipped ? width - 1 - x : x;
            }
        }
        return new PixelMap(rows, columns).apply(images);
    }
}

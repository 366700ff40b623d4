package dev.kelvin.data.augment;

import dev.kelvin.data.image.PixelRange;
import dev.kelvin.part.Check;
import dev.kelvin.part.Default;
import dev.kelvin.part.Doc;
import dev.kelvin.part.SettingException;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Tensor;
import java.util.random.RandomGenerator;

/**
 * Random crop after padding by reflection: moves each image by up to {@code padding} pixels down, up, right and left, every
 * shift as likely; what comes in at an edge is the image reflected there, without its edge.
 */
@Doc("random crop, as large as the image, after padding by reflection")
public record Crop(
        @Doc("pixels by which each side is padded") @Default("4")
        int padding) implements Augmentation {
    public Crop {
        Check.atLeast("padding", padding, 0);
    }

    /** Pixels only move, whatever their values. */
    @Override
    public Augmentation within(PixelRange range) {
        return this;
    }

    @Override
    public String words() {
        return "random crop after padding by " + padding + (padding == 1 ? " pixel" : " pixels");
    }

    @Override
    public Tensor apply(Key key, Tensor images) {
        int[] shape = PixelMap.shape(images);
        int height = shape[2];
        int width = shape[3];
        if (padding >= Math.min(height, width)) {
            throw new SettingException(
                    "padding",
                    "must be less than the image's side to reflect it, found " + padding + " for " + height + " by "
                            + width);
        }
        RandomGenerator random = key.stream();
        int[] rows = new int[shape[0] * height];
        int[] columns = new int[shape[0] * width];
        for (int image = 0; image < shape[0]; image++) {
            shifted(rows, image * height, height, random.nextInt(-padding, padding + 1));
            shifted(columns, image * width, width, random.nextInt(-padding, padding + 1));
        }
        return new PixelMap(rows, columns).apply(images);
    }

    private static void shifted(int[] places, int at, int length, int shift) {
        for (int i = 0; i < length; i++) {
            int place = Math.abs(i + shift); // −1 is 1
            places[at + i] = place < length ? place : 2 * (length - 1) - place;
        }
    }
}

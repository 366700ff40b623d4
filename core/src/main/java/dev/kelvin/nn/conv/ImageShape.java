package dev.kelvin.nn.conv;

import dev.kelvin.part.Check;
import dev.kelvin.part.InvalidInputException;
import dev.kelvin.part.SettingException;
import dev.kelvin.tensor.Tensor;
import java.util.List;

/** The square images that a network is made for: [n, channels, size, size]. */
record ImageShape(int channels, int size) {
    ImageShape {
        Check.atLeast("channels", channels, 1);
        Check.atLeast("size", size, 1);
    }

    /** That of samples [channels, height, width]. */
    static ImageShape of(List<Long> shape) {
        if (shape.size() != 3) {
            throw new SettingException("model", "takes images [channels, height, width], found samples " + shape);
        }
        if (!shape.get(1).equals(shape.get(2))) {
            throw new SettingException(
                    "model",
                    "takes square images, and the data's are " + shape.get(1) + "x" + shape.get(2)
                            + " (height x width); crop or pad them to a square, or, of a folder of pictures, set"
                            + " data.images.size");
        }
        return new ImageShape(Math.toIntExact(shape.get(0)), Math.toIntExact(shape.get(1)));
    }

    /** The images, if they are of this shape. */
    Tensor require(Tensor images) {
        boolean fits =
                images.dim() == 4 && images.size(1) == channels && images.size(2) == size && images.size(3) == size;
        if (!fits) {
            throw new InvalidInputException("the network takes images [n, " + channels + ", " + size + ", " + size
                    + "], found " + images + "; set its channels and size to the data's");
        }
        return images;
    }

    /** This shape, if its images have a pixel left for each halving. */
    ImageShape halved(int halvings) {
        long smallest = 1L << Math.min(halvings, Long.SIZE - 2);
        if (size < smallest) {
            throw new SettingException(
                    "size",
                    "must be at least " + smallest + ", because this network halves images " + halvings
                            + " times, found " + size);
        }
        return this;
    }
}

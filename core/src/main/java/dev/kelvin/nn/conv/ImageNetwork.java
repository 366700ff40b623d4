package dev.kelvin.nn.conv;

import dev.kelvin.nn.Network;
import dev.kelvin.part.Check;
import dev.kelvin.part.InvalidInputException;
import dev.kelvin.part.SettingException;
import dev.kelvin.tensor.Tensor;
import java.util.List;

/** A network of square images, [n, channels, size, size]. */
public interface ImageNetwork<N extends Network> extends Network {
    /** Channels of an image. */
    int channels();

    /** Pixels of an image from left to right, and from top to bottom. */
    int size();

    /** This network for images of another shape, and with another number of outputs. */
    N shaped(int channels, int size, int outputs);

    @Override
    default N shaped(List<Long> shape, int outputs) {
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
        return shaped(Math.toIntExact(shape.get(0)), Math.toIntExact(shape.get(1)), outputs);
    }

    @Override
    default boolean takesImages() {
        return true;
    }

    /** The input, if it has the images' shape. */
    default Tensor images(Tensor input) {
        if (input.dim() != 4 || input.size(1) != channels() || input.size(2) != size() || input.size(3) != size()) {
            throw new InvalidInputException("the network takes images [n, " + channels() + ", " + size() + ", " + size()
                    + "], found " + input + "; set its channels and size to the data's");
        }
        return input;
    }

    /** Refuses images without a pixel left for each halving. */
    static void check(int channels, int size, int halvings) {
        Check.atLeast("channels", channels, 1);
        Check.atLeast("size", size, 1);
        long smallest = 1L << Math.min(halvings, Long.SIZE - 2);
        if (size < smallest) {
            throw new SettingException(
                    "size",
                    "must be at least " + smallest + ", because this network halves images " + halvings
                            + " times, found " + size);
        }
    }
}

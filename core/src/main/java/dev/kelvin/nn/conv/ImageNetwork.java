package dev.kelvin.nn.conv;

import dev.kelvin.nn.Network;
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
        ImageShape image = ImageShape.of(shape);
        return shaped(image.channels(), image.size(), outputs);
    }

    @Override
    default boolean takesImages() {
        return true;
    }

    /** The input, if it has the images' shape. */
    default Tensor images(Tensor input) {
        return new ImageShape(channels(), size()).require(input);
    }
}

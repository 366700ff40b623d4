package dev.kelvin.data.augment;

import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;

/**
 * Moves the pixels of a batch: place (y, x) of image i takes the pixel in row rows[i·height + y] and column
 * columns[i·width + x], for every channel. Values are copied, never computed.
 */
record PixelMap(int[] rows, int[] columns) {
    /** The images' shape, [n, c, h, w], which they must have. */
    static int[] shape(Tensor images) {
        if (images.dim() != 4) {
            throw new IllegalArgumentException("images have the shape [n, channels, height, width], found " + images);
        }
        int[] shape = new int[4];
        for (int i = 0; i < shape.length; i++) {
            shape[i] = Math.toIntExact(images.size(i));
        }
        return shape;
    }

    Tensor apply(Tensor images) {
        int[] shape = shape(images);
        int height = shape[2];
        int width = shape[3];
        long[] indices = new long[shape[0] * height * width];
        int at = 0;
        for (int image = 0; image < shape[0]; image++) {
            for (int y = 0; y < height; y++) {
                for (int x = 0; x < width; x++) {
                    indices[at++] = (long) rows[image * height + y] * width + columns[image * width + x];
                }
            }
        }
        try (Scope scope = Scope.open()) {
            Tensor index = Tensors.of(indices).to(images.device()).reshape(shape[0], 1, (long) height * width);
            Tensor flat = images.reshape(shape[0], shape[1], (long) height * width);
            Tensor moved = flat.gather(2, index.expand(shape[0], shape[1], (long) height * width));
            return scope.keep(moved.reshape(images.shape()));
        }
    }
}

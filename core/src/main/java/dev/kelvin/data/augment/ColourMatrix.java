package dev.kelvin.data.augment;

import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;

/** Changes of colours by a matrix for each image. A matrix is nine numbers, row by row; colours are columns. */
final class ColourMatrix {
    static final double[] IDENTITY = {1, 0, 0, 0, 1, 0, 0, 0, 1};

    private ColourMatrix() {}

    static double[] times(double[] a, double[] b) {
        double[] product = new double[9];
        for (int i = 0; i < 9; i++) {
            for (int k = 0; k < 3; k++) {
                product[i] += a[i / 3 * 3 + k] * b[k * 3 + i % 3];
            }
        }
        return product;
    }

    /** saturation·x + (1 − saturation)·grey(x): 0 gives grey, 1 changes nothing. */
    static double[] saturation(double saturation) {
        double[] grey = {Greyscale.RED, Greyscale.GREEN, Greyscale.BLUE};
        double[] matrix = new double[9];
        for (int i = 0; i < 9; i++) {
            matrix[i] = saturation * IDENTITY[i] + (1 - saturation) * grey[i % 3];
        }
        return matrix;
    }

    /** The rotation about the axis of greys by a share of a full turn: a third takes red to green (Rodrigues' formula). */
    static double[] hue(double turn) {
        double cos = Math.cos(2 * Math.PI * turn);
        double sin = Math.sin(2 * Math.PI * turn) / Math.sqrt(3);
        double rest = (1 - cos) / 3;
        return new double[] {
            cos + rest,
            rest - sin,
            rest + sin, //
            rest + sin,
            cos + rest,
            rest - sin, //
            rest - sin,
            rest + sin,
            cos + rest
        };
    }

    /** Every image's colours by its matrix: images [n, 3, h, w], matrices [n·9]. Temporaries stay in the caller's scope. */
    static Tensor apply(Tensor images, double[] matrices) {
        long n = images.size(0);
        Tensor colours = images.reshape(n, 3, -1);
        return Tensors.like(images, matrices, n, 3, 3).matmul(colours).reshape(images.shape());
    }
}

package dev.kelvin.energy;

import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.Arrays;

/** An analytic density's numbers, brought to the samples that it is asked about. */
final class Constants {
    static final double LOG_2PI = Math.log(2 * Math.PI);

    /**
     * Added under the root of a distance from the origin, in the square of the points' unit: far below rounding, and it
     * makes the distance's gradient at the origin 0 instead of 0/0. In reach of float, whose smallest number is 1e-38.
     */
    private static final double TINY = 1e-30;

    private Constants() {}

    /** The numbers in the samples' type and place. */
    static Tensor like(Tensor x, double[] values, long... shape) {
        return Tensors.of(values, shape).to(x.dtype()).to(x.device());
    }

    /** The samples, if they are [n, dimension]. */
    static Tensor samples(Tensor x, int dimension) {
        if (x.dim() != 2 || x.size(1) != dimension) {
            throw new IllegalArgumentException("this density is asked about samples of shape "
                    + Arrays.toString(x.shape()) + "; expected [n, " + dimension + "]");
        }
        return x;
    }

    /** The rows' distances from the origin, [n, d] -> [n, 1]. */
    static Tensor radius(Tensor x) {
        return x.square().sum(1L).plus(TINY).sqrt().unsqueeze(1);
    }
}

package dev.kelvin.data.toy;

import dev.kelvin.tensor.Tensor;

/** What densities in the plane ask of their input. */
final class Plane {
    private Plane() {}

    /** The points, if they are [n, 2]. */
    static Tensor points(String toy, Tensor x) {
        if (x.dim() != 2 || x.size(1) != 2 || x.size(0) == 0) {
            throw new IllegalArgumentException(
                    "the density of " + toy + " is evaluated at " + x + "; expected points, [n, 2] with n above 0");
        }
        return x;
    }
}

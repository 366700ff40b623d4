package dev.kelvin.data.augment;

final class Percent {
    private Percent() {}

    /** A share as a whole percentage: 0.08 is 8%. */
    static String of(double share) {
        return Math.round(100 * share) + "%";
    }
}

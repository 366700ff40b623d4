package dev.kelvin.energy;

import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.util.Locale;

/** Whether a density's gradient is the derivative of its value, by central differences. */
public final class GradientCheck {
    private GradientCheck() {}

    /** Refuses a wrong gradient; at a kink it may lie anywhere between both sides' differences. */
    public static void require(LogDensity density, Tensor x) {
        boolean precise = x.dtype() == DType.DOUBLE;
        double h =
                precise ? 6e-6 : 5e-3; // cube roots of the rounding errors: the differences' two errors are of one size
        double tolerance = precise ? 1e-5 : 2e-2; // far above that error, far below that of a wrong factor or sign
        try (Scope scope = Scope.open()) {
            int d = Math.toIntExact(x.count() / Math.max(1, x.size(0)));
            double[] told = density.gradient(x).toDoubles();
            double[][] above = new double[d][];
            double[][] below = new double[d][];
            for (int i = 0; i < d; i++) {
                above[i] = differences(density, x, i, h);
                below[i] = differences(density, x, i, -h);
            }
            for (int k = 0; k < told.length; k++) {
                double up = above[k % d][k / d];
                double down = below[k % d][k / d];
                double difference = (up + down) / 2;
                double scale = 1 + Math.abs(difference) + Math.abs(told[k]);
                if (!(Math.abs(told[k] - difference) <= tolerance * scale + Math.abs(up - down) / 2)) {
                    throw new IllegalArgumentException(String.format(
                            Locale.ROOT,
                            "the target's gradient is wrong: at sample %d, coordinate %d it says %.6g, but central"
                                    + " differences of its value say %.6g",
                            k / d,
                            k % d,
                            told[k],
                            difference));
                }
            }
        }
    }

    /** The slope of f from each sample to one that lies h further in one coordinate. */
    private static double[] differences(LogDensity density, Tensor x, int coordinate, double h) {
        try (Scope scope = Scope.open()) {
            Tensor moved = x.copy();
            moved.flattenSamples().select(1, coordinate).addNumberInPlace(h);
            Tensor width = moved.minus(x).flattenSamples().select(1, coordinate); // as rounded
            return density.at(moved).minus(density.at(x)).over(width).toDoubles();
        }
    }
}

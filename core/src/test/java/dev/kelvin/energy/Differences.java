package dev.kelvin.energy;

import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.function.DoubleSupplier;

/** Gradients against central differences in double. */
public final class Differences {
    /** Truncation h²f'''/6 is below 1e-7 at f''' = 1e5 (noise .02), rounding 1e-16 |f| / h below 1e-9. */
    private static final double H = 1e-6;

    private Differences() {}

    /** ‖gradient − differences‖ / ‖gradient‖ over all numbers of a vector in double; {@code value} reads it anew. */
    public static double errorOver(Tensor vector, DoubleSupplier value, double[] gradient) {
        double wrong = 0;
        double length = 0;
        for (int i = 0; i < gradient.length; i++) {
            double up = moved(vector, i, H, value);
            double down = moved(vector, i, -H, value);
            wrong = Math.hypot(wrong, gradient[i] - (up - down) / (2 * H));
            length = Math.hypot(length, gradient[i]);
        }
        return wrong / length;
    }

    private static double moved(Tensor vector, int at, double by, DoubleSupplier value) {
        try (Scope scope = Scope.open()) {
            double[] before = vector.toDoubles();
            vector.narrow(0, at, 1).addNumberInPlace(by);
            double found = value.getAsDouble();
            vector.copyInPlace(Tensors.of(before));
            return found;
        }
    }

    /** The greatest over the samples of ‖∇f − differences‖ / max(1, ‖∇f‖); x is [n, d] in double. */
    public static double worstError(LogDensity f, Tensor x, Tensor gradient) {
        try (Scope scope = Scope.open()) {
            int n = (int) x.size(0);
            int d = (int) x.size(1);
            double[] g = gradient.toDoubles();
            double[] wrong = new double[n];
            double[] length = new double[n];
            for (int j = 0; j < d; j++) {
                double[] move = new double[d];
                move[j] = H;
                Tensor step = Tensors.of(move, 1, d);
                double[] up = f.at(x.plus(step)).toDoubles();
                double[] down = f.at(x.minus(step)).toDoubles();
                for (int i = 0; i < n; i++) {
                    double error = g[i * d + j] - (up[i] - down[i]) / (2 * H);
                    wrong[i] += error * error;
                    length[i] += g[i * d + j] * g[i * d + j];
                }
            }
            double worst = 0;
            for (int i = 0; i < n; i++) {
                worst = Math.max(worst, Math.sqrt(wrong[i]) / Math.max(1, Math.sqrt(length[i])));
            }
            return worst;
        }
    }
}

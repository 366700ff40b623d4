package dev.kelvin.objective;

import dev.kelvin.part.Words;
import java.util.HashMap;
import java.util.Map;

/** The L2 penalty on f, weight · (mean f₊² + mean f₋²), which keeps f near 0. Source: Zhang 2021, toy and IGEBM losses. */
final class L2 {
    static final String PART = "l2";

    private L2() {}

    /** The loss with the penalty. */
    static Loss add(double weight, Loss loss, double[] positives, double[] negatives) {
        if (weight == 0) {
            return loss;
        }
        double squares = weight * (meanSquare(positives) + meanSquare(negatives));
        Map<String, Double> parts = new HashMap<>(loss.parts());
        parts.put(PART, squares);
        return new Loss(
                loss.value() + squares,
                plus(weight, loss.positiveGradient(), positives),
                plus(weight, loss.negativeGradient(), negatives),
                parts);
    }

    static String words(double weight) {
        return weight > 0 ? " with an L2 penalty on f of weight " + Words.number(weight) : "";
    }

    private static double[] plus(double weight, double[] gradient, double[] f) {
        double[] sum = gradient.clone();
        for (int i = 0; i < f.length; i++) {
            sum[i] += 2 * weight * f[i] / f.length;
        }
        return sum;
    }

    private static double meanSquare(double[] f) {
        double sum = 0;
        for (double value : f) {
            sum += value * value;
        }
        return sum / f.length;
    }
}

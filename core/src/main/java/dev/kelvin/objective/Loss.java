package dev.kelvin.objective;

import dev.kelvin.part.Words;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * A loss with its gradient with respect to f at each positive and negative, and its parts by name, for the log.
 */
public record Loss(double value, double[] positiveGradient, double[] negativeGradient, Map<String, Double> parts) {
    public Loss {
        parts = Map.copyOf(parts);
    }

    /** Scales value and gradients; the parts are unchanged. */
    public Loss times(double weight) {
        return weight == 1
                ? this
                : new Loss(weight * value, times(weight, positiveGradient), times(weight, negativeGradient), parts);
    }

    private static double[] times(double weight, double[] values) {
        return Arrays.stream(values).map(each -> weight * each).toArray();
    }

    /** With the L2 penalty on f, weight · (mean f₊² + mean f₋²), which keeps f near 0 (Zhang 2021, toy and IGEBM losses). */
    Loss withL2(double weight, double[] positives, double[] negatives) {
        if (weight == 0) {
            return this;
        }
        double squares = weight * (meanSquare(positives) + meanSquare(negatives));
        Map<String, Double> all = new HashMap<>(parts);
        all.put("l2", squares);
        return new Loss(
                value + squares,
                plus(weight, positiveGradient, positives),
                plus(weight, negativeGradient, negatives),
                all);
    }

    static String l2Words(double weight) {
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

package dev.kelvin.objective;

import java.util.Arrays;
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
}

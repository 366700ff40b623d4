package dev.kelvin.objective;

import java.util.Arrays;
import java.util.Map;

/**
 * A loss with its gradient with respect to f at each positive and negative, and what people want to see of it, by name.
 */
public record Loss(double value, double[] positiveGradient, double[] negativeGradient, Map<String, Double> parts) {
    public Loss {
        parts = Map.copyOf(parts);
    }

    /** So many times this loss; its parts are told as they are. */
    public Loss times(double weight) {
        return weight == 1
                ? this
                : new Loss(weight * value, times(weight, positiveGradient), times(weight, negativeGradient), parts);
    }

    private static double[] times(double weight, double[] values) {
        return Arrays.stream(values).map(each -> weight * each).toArray();
    }
}

package dev.kelvin.objective;

import java.util.Map;

/**
 * A loss with its gradient with respect to f at each positive and negative, and what people want to see of it, by name.
 */
public record Loss(double value, double[] positiveGradient, double[] negativeGradient, Map<String, Double> parts) {
    public Loss {
        parts = Map.copyOf(parts);
    }
}

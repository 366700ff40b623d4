package dev.kelvin.train;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The numbers of one step by name, in the order in which people want to see them. Always there: {@code loss} and
 * {@code gap}, the mean of f at the positives minus that at the negatives.
 */
public record StepReport(Map<String, Double> values) {
    public static final String LOSS = "loss";
    public static final String GAP = "gap";
    public static final String POSITIVE = "f_positive";
    public static final String NEGATIVE = "f_negative";
    public static final String GRADIENT_NORM = "gradient_norm";
    public static final String LEARNING_RATE = "learning_rate";
    public static final String ACCEPTANCE = "acceptance";

    public StepReport {
        values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    }

    public double gap() {
        return values.getOrDefault(GAP, Double.NaN);
    }

    /** Whether every number is one. */
    public boolean finite() {
        return values.values().stream().allMatch(Double::isFinite);
    }
}

package dev.kelvin.metric.figure;

/**
 * Another figure without which a value can't be read.
 *
 * @param name of that figure; of a family, with the family's {@code *}
 */
public record Companion(String name, How how) {
    /** What the other figure is to the value. */
    public enum How {
        /** The value is judged by how far it lies above the other. */
        DIFFERENCE,
        /** The value is judged by its share of the other. */
        RATIO,
        /** The other is the value's standard error, or its spread; the value is judged alone. */
        ERROR
    }

    /** The number that is judged. */
    double judged(double value, double other) {
        return switch (how) {
            case DIFFERENCE -> value - other;
            case RATIO -> value / other;
            case ERROR -> value;
        };
    }
}

package dev.kelvin.metric.image;

import java.util.Arrays;

/** The mean of a figure over parts, and the standard deviation about it, √(Σ(v − mean)²/parts); NaN for one part. */
record Spread(double mean, double deviation) {
    static final Spread UNKNOWN = new Spread(Double.NaN, Double.NaN);

    static Spread of(double[] values) {
        double mean = Arrays.stream(values).sum() / values.length;
        double squares = Arrays.stream(values)
                .map(value -> (value - mean) * (value - mean))
                .sum();
        return new Spread(mean, values.length > 1 ? Math.sqrt(squares / values.length) : Double.NaN);
    }
}

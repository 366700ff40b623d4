package dev.kelvin.draw;

import java.util.Arrays;

/**
 * How a density becomes a colour: linearly from 0 to {@code high}, or by its logarithm from {@code low} to
 * {@code high}. Pictures that are to be compared share one scale; what lies beyond an end takes the end's colour.
 */
public record Scale(double low, double high, boolean logarithmic) {
    /** What a log-density picture shows below its peak, in nats: a factor of 22 000, a Gaussian out to 4.5 sigma. */
    private static final double NATS = 10;

    /** From 0 to the reference's peak; the reference is the true density where it is known, else the learnt one. */
    public static Scale linear(double[][] reference) {
        return new Scale(0, peak(reference), false);
    }

    /** From ten nats below the reference's peak up to it. */
    public static Scale log(double[][] reference) {
        double high = Math.log(peak(reference));
        return new Scale(high - NATS, high, true);
    }

    /** The place of a density on the scale, from 0 to 1; NaN stays NaN. */
    double position(double density) {
        double value = logarithmic ? Math.log(Math.max(density, 0)) : density;
        return Math.min(1, Math.max(0, (value - low) / (high - low)));
    }

    /** The largest finite density, or 1 where there is none to go by. */
    private static double peak(double[][] density) {
        double peak = Arrays.stream(density)
                .flatMapToDouble(Arrays::stream)
                .filter(value -> value < Double.POSITIVE_INFINITY)
                .max()
                .orElse(0);
        return peak > 0 ? peak : 1;
    }
}

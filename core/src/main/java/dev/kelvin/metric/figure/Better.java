package dev.kelvin.metric.figure;

/** Which values of a figure of merit are better. */
public enum Better {
    LOWER,
    HIGHER,
    /** The nearer to 0, from both sides. */
    NEAR_ZERO,
    /** Inside an interval, within which no value is better than another. */
    INSIDE,
    /** No value is better than another: a count, a setting, a reference. */
    NEITHER
}

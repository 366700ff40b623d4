package dev.kelvin;

import java.util.Collection;

/** Checks of settings: each names the setting, says what was expected and shows what was found. */
public final class Check {
    private Check() {}

    /** The value, if it is finite and above zero. */
    public static double positive(String name, double value) {
        return require(value > 0 && Double.isFinite(value), name, "must be above 0", value);
    }

    /** The value, if it is finite and not below zero. */
    public static double notNegative(String name, double value) {
        return require(value >= 0 && Double.isFinite(value), name, "must be 0 or more", value);
    }

    /** The value, if it is finite. */
    public static double finite(String name, double value) {
        return require(Double.isFinite(value), name, "must be a finite number", value);
    }

    /** The value, if it lies in [low, high]. */
    public static double within(String name, double value, double low, double high) {
        return require(
                value >= low && value <= high, name, "must lie between " + plain(low) + " and " + plain(high), value);
    }

    /** The value, if it is at least {@code low}. */
    public static long atLeast(String name, long value, long low) {
        if (value < low) {
            throw new SettingException(name, "must be at least " + low + ", found " + value);
        }
        return value;
    }

    /** Refuses an empty collection. */
    public static void notEmpty(String name, Collection<?> values) {
        if (values.isEmpty()) {
            throw new SettingException(name, "must not be empty");
        }
    }

    private static double require(boolean holds, String name, String expected, double value) {
        if (!holds) {
            throw new SettingException(name, expected + ", found " + plain(value));
        }
        return value;
    }

    private static String plain(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? Long.toString((long) value)
                : Double.toString(value);
    }
}

package dev.kelvin.part;

import java.util.Collection;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Stream;

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

    /** Makes every check and throws the first that failed, with the others suppressed, so that all can be reported. */
    public static void all(Runnable... checks) {
        Refusals refused = new Refusals();
        Stream.of(checks).forEach(refused::check);
        refused.raise();
    }

    /**
     * Makes a part's own check, and names the setting that it refuses from the outside: {@code part.setting}. A part that
     * refuses all of itself, by its kind ({@code model} in {@code model.mlp}), is named alone.
     */
    public static void part(String part, Runnable check) {
        try {
            check.run();
        } catch (SettingException e) {
            throw new SettingException(
                    part.startsWith(e.setting() + ".") ? part : part + "." + e.setting(), e.problem());
        }
    }

    /** Refuses what does not hold. */
    public static void require(boolean holds, String setting, String problem) {
        if (!holds) {
            throw new SettingException(setting, problem);
        }
    }

    /** The value, if there is one, must be finite and above zero. */
    public static void positive(String name, OptionalDouble value) {
        value.ifPresent(given -> positive(name, given));
    }

    /** In [0, 1): a decay, which at 1 would never forget. */
    public static void belowOne(String name, double value) {
        require(value >= 0 && value < 1, name, "must be 0 or more and below 1", value);
    }

    /** Refuses a list with a number that is not finite, by its place. */
    public static void finite(String name, List<Double> values) {
        for (int i = 0; i < values.size(); i++) {
            finite(name + "." + i, values.get(i));
        }
    }

    /** Refuses a list with a number below {@code low}, by its place. */
    public static void eachAtLeast(String name, List<Integer> values, int low) {
        for (int i = 0; i < values.size(); i++) {
            atLeast(name + "." + i, values.get(i), low);
        }
    }

    /** Refuses an empty collection. */
    public static void notEmpty(String name, Collection<?> values) {
        require(!values.isEmpty(), name, "must not be empty");
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

package dev.kelvin.sweep;

import dev.kelvin.part.Words;
import dev.kelvin.yaml.ScalarText;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A range that values are drawn from, such as {@code 1e-4..1e-2}: uniformly, or uniformly in the logarithm where both ends are above 0
 * and the greater is ten times the other or more; {@code linear:} or {@code log:} before it decides otherwise.
 *
 * @param whole whether both ends are written as whole numbers, and values are such too
 */
record ValueRange(double low, double high, boolean logarithmic, boolean whole) {
    private static final Pattern WRITTEN =
            Pattern.compile("(?:(log|linear):\\s*)?([-+.0-9eE]+?)\\s*\\.\\.\\s*([-+.0-9eE]+)");
    private static final Pattern INTEGER = Pattern.compile("[-+]?[0-9]{1,15}");
    private static final double WIDE = 10;
    private static final MathContext DIGITS = new MathContext(4); // enough for a search, few enough to be read

    /** The range that a text writes; none where it is a plain value. */
    static Optional<ValueRange> of(String text) {
        Matcher found = WRITTEN.matcher(text);
        if (!found.matches()) {
            return Optional.empty();
        }
        double low = number(text, found.group(2));
        double high = number(text, found.group(3));
        if (!(low < high)) {
            throw new IllegalArgumentException("takes the lower end first in " + Words.quote(text));
        }
        boolean log = found.group(1) == null
                ? low > 0 && high / low >= WIDE
                : found.group(1).equals("log");
        if (log && low <= 0) {
            throw new IllegalArgumentException("has no logarithm at the lower end of " + Words.quote(text));
        }
        boolean whole = INTEGER.matcher(found.group(2)).matches()
                && INTEGER.matcher(found.group(3)).matches();
        return Optional.of(new ValueRange(low, high, log, whole));
    }

    private static double number(String range, String end) {
        return ScalarText.number(end)
                .filter(Double::isFinite)
                .orElseThrow(
                        () -> new IllegalArgumentException("has an end that is no number in " + Words.quote(range)));
    }

    /** A value as a recipe writes it. */
    String draw(RandomGenerator random) {
        double share = random.nextDouble();
        double end = whole ? high + 1 : high; // each whole number has the stretch above it
        double drawn = logarithmic ? low * Math.pow(end / low, share) : low + share * (end - low);
        if (whole) {
            return Long.toString((long) Math.min(high, Math.floor(drawn)));
        }
        double rounded = new BigDecimal(drawn).round(DIGITS).doubleValue();
        return Words.number(Math.min(high, Math.max(low, rounded)));
    }
}

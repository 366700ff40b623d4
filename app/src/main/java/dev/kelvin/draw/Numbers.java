package dev.kelvin.draw;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/** Numbers for people: three significant digits, thin spaces between thousands, and words where there is no number. */
public final class Numbers {
    private static final MathContext TWO_DIGITS = new MathContext(2);
    private static final MathContext THREE_DIGITS = new MathContext(3);
    private static final MathContext SIX_DIGITS = new MathContext(6);
    /** From here on a number is easier to read with a power of ten. */
    private static final double LARGE = 1e7;

    private static final double SMALL = 1e-4;

    private static final char THIN_SPACE = '\u202F';
    private static final String SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";

    private Numbers() {}

    /** Three significant digits; whole numbers below ten million in full. */
    public static String forPeople(double value) {
        return words(value, false);
    }

    /** Six significant digits without trailing zeros, for ticks of an axis, which may differ in the sixth. */
    public static String onAxis(double value) {
        return words(value, true);
    }

    /** A number and its error, both to the second digit of the error: 1.234 ± 0.012. */
    public static String withError(double value, double error) {
        if (!(error > 0) || !ordinary(value) || !ordinary(error)) {
            return forPeople(value) + " ± " + forPeople(error);
        }
        BigDecimal digits = new BigDecimal(error).round(TWO_DIGITS);
        int scale = Math.max(0, digits.scale());
        String rounded = grouped(new BigDecimal(Math.abs(value))
                .setScale(scale, RoundingMode.HALF_EVEN)
                .toPlainString());
        return (value < 0 ? "−" : "") + rounded + " ± " + grouped(digits.toPlainString());
    }

    /** Whether a number is written without a power of ten. */
    private static boolean ordinary(double value) {
        return value == 0 || (Math.abs(value) >= SMALL && Math.abs(value) < LARGE);
    }

    private static String words(double value, boolean axis) {
        if (Double.isNaN(value)) {
            return "not a number";
        }
        if (Double.isInfinite(value)) {
            return value > 0 ? "infinite" : "minus infinity";
        }
        if (value == 0) {
            return "0";
        }
        double size = Math.abs(value);
        BigDecimal rounded = new BigDecimal(size).round(axis ? SIX_DIGITS : THREE_DIGITS);
        String digits;
        if (!ordinary(size)) {
            digits = withPower(rounded);
        } else if (size == Math.rint(size)) {
            digits = grouped(Long.toString((long) size));
        } else {
            digits = grouped((axis ? rounded.stripTrailingZeros() : rounded).toPlainString());
        }
        return value < 0 ? "−" + digits : digits;
    }

    private static String withPower(BigDecimal size) {
        int power = size.precision() - size.scale() - 1;
        String mantissa = size.movePointLeft(power).stripTrailingZeros().toPlainString();
        StringBuilder exponent = new StringBuilder(power < 0 ? "⁻" : "");
        Integer.toString(Math.abs(power)).chars().forEach(c -> exponent.append(SUPERSCRIPTS.charAt(c - '0')));
        return mantissa + " × 10" + exponent;
    }

    /** Spaces between thousands, from five digits on. */
    private static String grouped(String digits) {
        int point = digits.indexOf('.');
        int whole = point < 0 ? digits.length() : point;
        if (whole < 5) {
            return digits;
        }
        StringBuilder out = new StringBuilder(digits);
        for (int i = whole - 3; i > 0; i -= 3) {
            out.insert(i, THIN_SPACE);
        }
        return out.toString();
    }
}

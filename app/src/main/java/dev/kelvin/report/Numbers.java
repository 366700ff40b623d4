package dev.kelvin.report;

import java.math.BigDecimal;
import java.math.MathContext;

/** Numbers for people: three significant digits, thin spaces between thousands, and words where there is no number. */
final class Numbers {
    private static final MathContext THREE_DIGITS = new MathContext(3);
    /** From here on a number is easier to read with a power of ten. */
    private static final double LARGE = 1e7;

    private static final double SMALL = 1e-4;

    private static final char THIN_SPACE = '\u202F';
    private static final String SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";

    private Numbers() {}

    /** Three significant digits; whole numbers below ten million in full. */
    static String forPeople(double value) {
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
        String digits;
        if (size < LARGE && size == Math.rint(size)) {
            digits = grouped(Long.toString((long) size));
        } else if (size >= LARGE || size < SMALL) {
            digits = withPower(size);
        } else {
            digits = grouped(new BigDecimal(size).round(THREE_DIGITS).toPlainString());
        }
        return value < 0 ? "−" + digits : digits;
    }

    private static String withPower(double size) {
        BigDecimal rounded = new BigDecimal(size).round(THREE_DIGITS);
        int power = rounded.precision() - rounded.scale() - 1;
        String mantissa = rounded.movePointLeft(power).stripTrailingZeros().toPlainString();
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

package dev.kelvin.data.table.file;

import java.util.stream.IntStream;
import tools.jackson.core.io.NumberInput;

/** Decimal numbers, rounded to the last bit as {@link Double#parseDouble} does, by Jackson's parser (Lemire 2021). */
final class Decimal {
    /** Whole numbers of this length, and powers of ten as large, are doubles; their quotient is rounded once. */
    private static final int EXACT_DIGITS = 15;

    private static final double[] TEN = IntStream.range(0, EXACT_DIGITS + 1)
            .mapToDouble(i -> Double.parseDouble("1e" + i))
            .toArray();

    private Decimal() {}

    /** The number that a text is, with spaces around it or not; NaN where it is no decimal number. */
    static double parse(String text) {
        char[] number = text.strip().toCharArray();
        return parse(number, 0, number.length);
    }

    /** The number that a part of a text is, without spaces around it; NaN where it is no decimal number. */
    static double parse(char[] text, int from, int to) {
        double few = ofFewDigits(text, from, to);
        if (!Double.isNaN(few)) {
            return few;
        }
        boolean digits = false;
        for (int i = from; i < to; i++) {
            boolean digit = text[i] >= '0' && text[i] <= '9';
            if (!digit && "+-.eE".indexOf(text[i]) < 0) { // the parser takes NaN, 0x10 and 1f too
                return Double.NaN;
            }
            digits |= digit;
        }
        try {
            return digits ? NumberInput.parseDouble(new String(text, from, to - from), true) : Double.NaN;
        } catch (NumberFormatException e) { // 2026-11-19
            return Double.NaN;
        }
    }

    /** As most numbers are: a sign, digits and a point, rounded once (Clinger 1990); NaN where it is not so simple. */
    private static double ofFewDigits(char[] text, int from, int to) {
        int begin = from < to && text[from] == '-' ? from + 1 : from;
        int digits = 0;
        int point = -1;
        long whole = 0;
        for (int i = begin; i < to; i++) {
            char c = text[i];
            if (c >= '0' && c <= '9' && digits < EXACT_DIGITS) {
                whole = 10 * whole + (c - '0');
                digits++;
            } else if (c == '.' && point < 0) {
                point = i;
            } else {
                return Double.NaN;
            }
        }
        double size = whole / TEN[point < 0 ? 0 : to - 1 - point];
        return digits == 0 ? Double.NaN : begin == from ? size : -size;
    }
}

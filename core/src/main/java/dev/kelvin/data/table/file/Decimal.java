package dev.kelvin.data.table.file;

import tools.jackson.core.io.NumberInput;

/**
 * Decimal numbers, rounded to the last bit as {@link Double#parseDouble} does: of few digits by one division of doubles, which is
 * exact (Clinger 1990), others by Jackson's parser (Lemire 2021).
 */
final class Decimal {
    private static final int MOST_DIGITS = 18; // that a long holds
    private static final int EXACT_BITS = 53; // up to which a double holds every whole number
    private static final double[] TEN = new double[23]; // to the power of i: exact up to 22

    static {
        TEN[0] = 1;
        for (int i = 1; i < TEN.length; i++) {
            TEN[i] = 10 * TEN[i - 1];
        }
    }

    private Decimal() {}

    /** The number that these characters are, with spaces around it or not; NaN where they are no decimal number. */
    static double parse(char[] text, int from, int to) {
        int begin = from;
        int end = to;
        while (begin < end && isSpace(text[begin])) {
            begin++;
        }
        while (end > begin && isSpace(text[end - 1])) {
            end--;
        }
        long mantissa = 0;
        int digits = 0;
        int places = 0;
        boolean point = false;
        int at = afterSign(text, begin, end);
        for (; at < end; at++) {
            if (isDigit(text[at])) {
                mantissa = 10 * mantissa + (text[at] - '0');
                digits++;
                places += point ? 1 : 0;
            } else if (text[at] == '.' && !point) {
                point = true;
            } else {
                break;
            }
        }
        if (digits == 0 || (at < end && !isPower(text, at, end))) {
            return Double.NaN;
        }
        if (at == end && digits <= MOST_DIGITS && mantissa >>> EXACT_BITS == 0) {
            return (text[begin] == '-' ? -1.0 : 1.0) * (mantissa / TEN[places]);
        }
        return NumberInput.parseDouble(text, begin, end - begin, true);
    }

    private static boolean isPower(char[] text, int from, int to) {
        int first = afterSign(text, from + 1, to);
        int at = first;
        while (at < to && isDigit(text[at])) {
            at++;
        }
        return (text[from] == 'e' || text[from] == 'E') && at > first && at == to;
    }

    private static int afterSign(char[] text, int at, int to) {
        return at < to && (text[at] == '-' || text[at] == '+') ? at + 1 : at;
    }

    private static boolean isDigit(char value) {
        return value >= '0' && value <= '9';
    }

    private static boolean isSpace(char value) {
        return value == ' ' || value == '\t' || value == '\r' || value == '\n';
    }
}

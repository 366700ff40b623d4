package dev.kelvin.data.table.file;

import tools.jackson.core.io.NumberInput;

/** Decimal numbers, rounded to the last bit as {@link Double#parseDouble} does, by Jackson's parser (Lemire 2021). */
final class Decimal {
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
        boolean digits = false;
        for (int i = begin; i < end; i++) {
            digits |= isDigit(text[i]);
            if (!isDigit(text[i]) && "+-.eE".indexOf(text[i]) < 0) { // the parser takes NaN, 0x10 and 1f too
                return Double.NaN;
            }
        }
        try {
            return digits ? NumberInput.parseDouble(text, begin, end - begin, true) : Double.NaN;
        } catch (NumberFormatException e) { // 2026-11-19
            return Double.NaN;
        }
    }

    private static boolean isDigit(char value) {
        return value >= '0' && value <= '9';
    }

    private static boolean isSpace(char value) {
        return value == ' ' || value == '\t' || value == '\r' || value == '\n';
    }
}

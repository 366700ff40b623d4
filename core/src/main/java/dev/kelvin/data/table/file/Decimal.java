package dev.kelvin.data.table.file;

import tools.jackson.core.io.NumberInput;

/** Decimal numbers, rounded to the last bit as {@link Double#parseDouble} does, by Jackson's parser (Lemire 2021). */
final class Decimal {
    private Decimal() {}

    /** The number that a text is, with spaces around it or not; NaN where it is no decimal number. */
    static double parse(String text) {
        String number = text.strip();
        boolean digits = false;
        for (int i = 0; i < number.length(); i++) {
            char c = number.charAt(i);
            boolean digit = c >= '0' && c <= '9';
            if (!digit && "+-.eE".indexOf(c) < 0) { // the parser takes NaN, 0x10 and 1f too
                return Double.NaN;
            }
            digits |= digit;
        }
        try {
            return digits ? NumberInput.parseDouble(number, true) : Double.NaN;
        } catch (NumberFormatException e) { // 2026-11-19
            return Double.NaN;
        }
    }
}

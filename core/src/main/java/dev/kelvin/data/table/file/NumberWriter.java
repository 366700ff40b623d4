package dev.kelvin.data.table.file;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Writes a CSV file of many numbers fast: cell by cell, then {@link #end} for the row. */
public final class NumberWriter implements Closeable {
    private static final int BLOCK = 1 << 16; // characters that are written at once
    private static final int DIGITS = 7; // significant ones: what a float is sure of
    private static final long LEAST = 1_000_000; // of seven digits
    private static final int PLAIN_LOWEST = -5; // 0.00001 is written so, 0.000001 as 1e-6
    private static final double LOG10_2 = 0.30102999566398120;
    private static final int SAFE_POWER = 290; // of ten, so that no product over- or underflows
    private static final double[] TEN = new double[SAFE_POWER + DIGITS + 1]; // to the power of i

    static {
        Arrays.setAll(TEN, i -> Double.parseDouble("1e" + i));
    }

    private final OutputStream out;
    private final StringBuilder text = new StringBuilder();
    private boolean begun;

    /** Writes to a stream, which is closed with it. */
    public NumberWriter(OutputStream out) {
        this.out = out;
    }

    /** The next cell: a number to seven significant digits. */
    public NumberWriter number(double value) {
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            return cell(Double.isNaN(value) ? "NaN" : value > 0 ? "inf" : "-inf");
        }
        return cell((value < 0 ? "-" : "") + digits(Math.abs(value)));
    }

    private static String digits(double size) {
        if (size == 0) {
            return "0";
        }
        int exponent = (int) Math.floor(Math.getExponent(size) * LOG10_2); // of ten, or one too low
        if (Math.abs(exponent) > SAFE_POWER) {
            return new BigDecimal(size)
                    .round(new MathContext(DIGITS, RoundingMode.HALF_EVEN))
                    .stripTrailingZeros()
                    .toString()
                    .replace("E+", "e")
                    .replace("E", "e");
        }
        long whole = scaled(size, exponent);
        if (whole >= LEAST * 10) {
            exponent++;
            whole = scaled(size, exponent);
        }
        if (whole >= LEAST * 10) { // 9999999.6
            exponent++;
            whole = LEAST;
        }
        String kept = stripped(Long.toString(whole));
        if (exponent < PLAIN_LOWEST || exponent >= DIGITS) {
            return pointed(kept, 1) + "e" + exponent;
        }
        return exponent < 0 ? "0." + "0".repeat(-exponent - 1) + kept : pointed(kept, exponent + 1);
    }

    private static String stripped(String digits) {
        int length = digits.length();
        while (length > 1 && digits.charAt(length - 1) == '0') {
            length--;
        }
        return digits.substring(0, length);
    }

    /** Digits with the point after the first {@code whole} of them; zeros make up for digits that are missing. */
    private static String pointed(String digits, int whole) {
        return digits.length() > whole
                ? digits.substring(0, whole) + '.' + digits.substring(whole)
                : digits + "0".repeat(whole - digits.length());
    }

    /** size · 10^(6 − exponent), rounded. */
    private static long scaled(double size, int exponent) {
        int shift = DIGITS - 1 - exponent;
        return Math.round(shift < 0 ? size / TEN[-shift] : size * TEN[shift]);
    }

    /** The next cell: a whole number. */
    public NumberWriter integer(long value) {
        return cell(Long.toString(value));
    }

    /** The next cell: text, in quotes where it needs them. */
    public NumberWriter text(String text) {
        boolean quotes = !text.equals(text.strip());
        for (int i = 0; i < text.length() && !quotes; i++) {
            quotes = ",;\"\n\r\t|".indexOf(text.charAt(i)) >= 0;
        }
        return cell(quotes ? '"' + text.replace("\"", "\"\"") + '"' : text);
    }

    private NumberWriter cell(String cell) {
        text.append(begun ? "," : "").append(cell);
        begun = true;
        return this;
    }

    /** Ends the row. */
    public void end() throws IOException {
        text.append('\n');
        begun = false;
        if (text.length() >= BLOCK) {
            write();
        }
    }

    private void write() throws IOException {
        out.write(text.toString().getBytes(StandardCharsets.UTF_8));
        text.setLength(0);
    }

    /** Hands what has been written to the stream. */
    public void flush() throws IOException {
        write();
        out.flush();
    }

    @Override
    public void close() throws IOException {
        try (out) {
            write();
        }
    }
}

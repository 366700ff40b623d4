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
    private static final int BLOCK = 1 << 16; // bytes that are written at once
    private static final int ROOM = 32; // for any number
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
    private byte[] text = new byte[BLOCK + ROOM];
    private int length;
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
        next(ROOM);
        if (value < 0) {
            put('-');
        }
        digits(Math.abs(value));
        return this;
    }

    private void digits(double size) {
        if (size == 0) {
            put('0');
            return;
        }
        int exponent = (int) Math.floor(Math.getExponent(size) * LOG10_2); // of ten, or one too low
        if (Math.abs(exponent) > SAFE_POWER) {
            put(new BigDecimal(size)
                    .round(new MathContext(DIGITS, RoundingMode.HALF_EVEN))
                    .stripTrailingZeros()
                    .toString()
                    .replace("E+", "e")
                    .replace("E", "e"));
            return;
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
        int count = DIGITS;
        while (count > 1 && whole % 10 == 0) {
            whole /= 10;
            count--;
        }
        if (exponent < PLAIN_LOWEST || exponent >= DIGITS) {
            pointed(whole, count, 1);
            put('e');
            put(Integer.toString(exponent));
        } else if (exponent < 0) {
            put("0.");
            zeros(-exponent - 1);
            pointed(whole, count, count);
        } else {
            pointed(whole, count, exponent + 1);
        }
    }

    /** The digits with the point after the first {@code before} of them; zeros make up for digits that are missing. */
    private void pointed(long digits, int count, int before) {
        boolean point = count > before;
        int end = length + count + (point ? 1 : 0);
        long left = digits;
        for (int i = end - 1; i >= length; i--) {
            if (point && i == length + before) {
                text[i] = '.';
            } else {
                text[i] = (byte) ('0' + left % 10);
                left /= 10;
            }
        }
        length = end;
        zeros(before - count);
    }

    private void zeros(int count) {
        for (int i = 0; i < count; i++) {
            put('0');
        }
    }

    /** size · 10^(6 − exponent), rounded. */
    private static long scaled(double size, int exponent) {
        int shift = DIGITS - 1 - exponent;
        return Math.round(shift < 0 ? size / TEN[-shift] : size * TEN[shift]);
    }

    /** The next cell: a whole number. */
    public NumberWriter integer(long value) {
        if (value < 0) {
            return cell(Long.toString(value));
        }
        next(ROOM);
        int count = 1;
        for (long left = value; left >= 10; left /= 10) {
            count++;
        }
        pointed(value, count, count);
        return this;
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
        byte[] bytes = cell.getBytes(StandardCharsets.UTF_8);
        next(bytes.length);
        System.arraycopy(bytes, 0, text, length, bytes.length);
        length += bytes.length;
        return this;
    }

    /** Begins a cell of at most so many bytes. */
    private void next(int most) {
        if (length + 1 + most > text.length) {
            text = Arrays.copyOf(text, Math.max(2 * text.length, length + 1 + most));
        }
        if (begun) {
            put(',');
        }
        begun = true;
    }

    private void put(char character) {
        text[length++] = (byte) character;
    }

    private void put(String plain) {
        for (int i = 0; i < plain.length(); i++) {
            put(plain.charAt(i));
        }
    }

    /** Ends the row. */
    public void end() throws IOException {
        if (length == text.length) {
            text = Arrays.copyOf(text, 2 * length);
        }
        put('\n');
        begun = false;
        if (length >= BLOCK) {
            write();
        }
    }

    private void write() throws IOException {
        out.write(text, 0, length);
        length = 0;
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

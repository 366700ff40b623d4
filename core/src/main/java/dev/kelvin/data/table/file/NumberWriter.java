package dev.kelvin.data.table.file;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;

/** Writes a CSV file of many numbers fast: cell by cell, then {@link #end} for the row. */
public final class NumberWriter implements Closeable {
    private static final int BUFFER = 1 << 16;
    private static final int LONGEST_NUMBER = 32;
    private static final int DIGITS = 7; // significant ones: what a float is sure of
    private static final long LEAST = 1_000_000; // of seven digits
    private static final int PLAIN_LOWEST = -5; // 0.00001 is written so, 0.000001 as 1e-6
    private static final double LOG10_2 = 0.30102999566398120;
    private static final int SAFE_POWER = 290; // of ten, so that no product over- or underflows

    private final OutputStream out;
    private final byte[] buffer = new byte[BUFFER];
    private final byte[] digits = new byte[Long.SIZE];
    private int at;
    private boolean begun;

    /** Writes to a stream, which is closed with it. */
    public NumberWriter(OutputStream out) {
        this.out = out;
    }

    /** The next cell: a number to seven significant digits. */
    public NumberWriter number(double value) throws IOException {
        begin();
        double size = Math.abs(value);
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            return append(Double.isNaN(value) ? "NaN" : value > 0 ? "inf" : "-inf");
        }
        if (value < 0) {
            buffer[at++] = '-';
        }
        if (size == 0) {
            buffer[at++] = '0';
            return this;
        }
        int exponent = (int) Math.floor(Math.getExponent(size) * LOG10_2); // of ten, or one too low
        if (Math.abs(exponent) > SAFE_POWER) {
            return append(new BigDecimal(size)
                    .round(new MathContext(DIGITS, RoundingMode.HALF_EVEN))
                    .stripTrailingZeros()
                    .toString()
                    .replace("E+", "e")
                    .replace("E", "e"));
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
        return write(whole, exponent);
    }

    /** size · 10^(6 − exponent), rounded. */
    private static long scaled(double size, int exponent) {
        int shift = DIGITS - 1 - exponent;
        return Math.round(shift < 0 ? size / Powers.of(-shift) : size * Powers.of(shift));
    }

    private NumberWriter write(long whole, int exponent) throws IOException {
        int count = DIGITS;
        long left = whole;
        while (left % 10 == 0) {
            left /= 10;
            count--;
        }
        for (int i = count - 1; i >= 0; i--) {
            digits[i] = (byte) ('0' + left % 10);
            left /= 10;
        }
        if (exponent >= DIGITS || exponent < PLAIN_LOWEST) {
            point(count, 0);
            buffer[at++] = 'e';
            append(Integer.toString(exponent));
        } else if (exponent < 0) {
            buffer[at++] = '0';
            buffer[at++] = '.';
            for (int i = -1; i > exponent; i--) {
                buffer[at++] = '0';
            }
            System.arraycopy(digits, 0, buffer, at, count);
            at += count;
        } else {
            point(count, exponent);
        }
        return this;
    }

    /** The digits with a point after the one with this number. */
    private void point(int count, int after) {
        for (int i = 0; i < Math.max(count, after + 1); i++) {
            buffer[at++] = i < count ? digits[i] : (byte) '0';
            if (i == after && i + 1 < count) {
                buffer[at++] = '.';
            }
        }
    }

    /** The next cell: a number as the shortest text that reads back as the same. */
    public NumberWriter exact(double value) throws IOException {
        boolean whole = value == Math.rint(value) && Math.abs(value) < 1L << 53;
        if (whole) {
            return integer((long) value);
        }
        begin();
        return append(Double.toString(value).replace("E", "e"));
    }

    /** The next cell: a whole number. */
    public NumberWriter integer(long value) throws IOException {
        begin();
        return append(Long.toString(value));
    }

    /** The next cell: text, in quotes where it needs them. */
    public NumberWriter text(String text) throws IOException {
        return written(cell(text));
    }

    /** Text as a cell has it, in quotes where it needs them, for {@link #written}. */
    public static byte[] cell(String text) {
        boolean quotes = text.chars().anyMatch(c -> ",;\"\n\r\t|".indexOf(c) >= 0) || !text.equals(text.strip());
        String cell = quotes ? '"' + text.replace("\"", "\"\"") + '"' : text;
        return cell.getBytes(StandardCharsets.UTF_8);
    }

    /** The next cell, as {@link #cell} made it. */
    public NumberWriter written(byte[] cell) throws IOException {
        begin();
        return append(cell);
    }

    /** Ends the row. */
    public void end() throws IOException {
        reserve(1);
        buffer[at++] = '\n';
        begun = false;
    }

    private void begin() throws IOException {
        reserve(LONGEST_NUMBER);
        if (begun) {
            buffer[at++] = ',';
        }
        begun = true;
    }

    private NumberWriter append(String text) throws IOException {
        return append(text.getBytes(StandardCharsets.UTF_8));
    }

    private NumberWriter append(byte[] bytes) throws IOException {
        if (bytes.length > buffer.length - at) {
            flush();
            out.write(bytes);
        } else {
            System.arraycopy(bytes, 0, buffer, at, bytes.length);
            at += bytes.length;
        }
        return this;
    }

    private void reserve(int bytes) throws IOException {
        if (at + bytes > buffer.length) {
            flush();
        }
    }

    /** Hands what has been written to the stream. */
    public void flush() throws IOException {
        out.write(buffer, 0, at);
        at = 0;
    }

    @Override
    public void close() throws IOException {
        try (out) {
            flush();
        }
    }

    /** Powers of ten. */
    private static final class Powers {
        private static final double[] TEN = new double[SAFE_POWER + DIGITS + 1];

        static {
            for (int i = 0; i < TEN.length; i++) {
                TEN[i] = Double.parseDouble("1e" + i);
            }
        }

        private Powers() {}

        static double of(int power) {
            return TEN[power];
        }
    }
}

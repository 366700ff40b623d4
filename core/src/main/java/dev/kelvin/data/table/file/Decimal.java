package dev.kelvin.data.table.file;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;

/**
 * Decimal numbers from bytes, rounded exactly as {@link Double#parseDouble} does and several times as fast.
 *
 * <p>Up to 2⁵³ with a small power of ten one operation of doubles is exact (Clinger 1990); other numbers of up to 19
 * digits are multiplied by 128 bits of the power of five (Lemire 2021,
 * algorithm 1); what that leaves open, Java's own parser decides.
 */
final class Decimal {
    private static final int MOST_DIGITS = 19; // what a long holds without loss
    private static final int LOWEST_POWER = -342; // below, 19 digits are 0
    private static final int HIGHEST_POWER = 308; // above, 1 is infinite
    private static final int HIGHEST_EXACT = 22; // 10^22 is the last power of ten that a double holds exactly
    private static final int LARGEST_EXPONENT = 100_000; // more digits than these change nothing

    private static final int MANTISSA_BITS = 52;
    private static final int BIAS = 1023;
    private static final int INFINITE = 0x7FF;
    private static final int KEPT = Long.SIZE - MANTISSA_BITS - 3; // bits cut from a product, but for the upper bit

    private static final double[] EXACT = new double[HIGHEST_EXACT + 1];
    private static final long[] HIGH = new long[HIGHEST_POWER - LOWEST_POWER + 1];
    private static final long[] LOW = new long[HIGH.length];

    static {
        EXACT[0] = 1;
        for (int i = 1; i < EXACT.length; i++) {
            EXACT[i] = EXACT[i - 1] * 10;
        }
        for (int power = LOWEST_POWER; power <= HIGHEST_POWER; power++) {
            BigInteger digits = power < 0
                    ? reciprocal(-power)
                    : truncated(BigInteger.valueOf(5).pow(power));
            HIGH[power - LOWEST_POWER] = digits.shiftRight(Long.SIZE).longValue();
            LOW[power - LOWEST_POWER] = digits.longValue();
        }
    }

    private Decimal() {}

    private static BigInteger truncated(BigInteger number) {
        int shift = number.bitLength() - 2 * Long.SIZE;
        return shift > 0 ? number.shiftRight(shift) : number.shiftLeft(-shift);
    }

    /** 5^−power to 128 bits, rounded up. */
    private static BigInteger reciprocal(int power) {
        BigInteger five = BigInteger.valueOf(5).pow(power);
        int bits = five.subtract(BigInteger.ONE).bitLength();
        BigInteger quotient =
                BigInteger.ONE.shiftLeft(2 * bits + 2 * Long.SIZE).divide(five).add(BigInteger.ONE);
        return power <= 27
                ? BigInteger.ONE
                        .shiftLeft(bits + 2 * Long.SIZE - 1)
                        .divide(five)
                        .add(BigInteger.ONE)
                : truncated(quotient);
    }

    /** The number that stands in these bytes, with spaces around it or not; NaN where they are no decimal number. */
    static double parse(byte[] bytes, int from, int to) {
        int at = from;
        int end = to;
        while (at < end && isSpace(bytes[at])) {
            at++;
        }
        while (end > at && isSpace(bytes[end - 1])) {
            end--;
        }
        int begin = at;
        if (at == end) {
            return Double.NaN;
        }
        boolean negative = bytes[at] == '-';
        if (negative || bytes[at] == '+') {
            at++;
        }
        long mantissa = 0;
        int digits = 0; // from the first that is not 0
        int seen = 0; // digits of any kind
        int exponent = 0;
        boolean point = false;
        boolean cut = false;
        for (; at < end; at++) {
            int digit = bytes[at] - '0';
            if (digit >= 0 && digit <= 9) {
                seen++;
                if (digits < MOST_DIGITS) {
                    mantissa = mantissa * 10 + digit;
                    digits += mantissa == 0 ? 0 : 1;
                    exponent -= point ? 1 : 0;
                } else {
                    cut |= digit != 0;
                    exponent += point ? 0 : 1;
                }
            } else if (bytes[at] == '.' && !point) {
                point = true;
            } else {
                break;
            }
        }
        if (seen == 0) {
            return Double.NaN;
        }
        if (at < end) {
            if ((bytes[at] | 0x20) != 'e') {
                return Double.NaN;
            }
            boolean down = ++at < end && bytes[at] == '-';
            if (down || (at < end && bytes[at] == '+')) {
                at++;
            }
            if (at == end) {
                return Double.NaN;
            }
            int written = 0;
            for (; at < end; at++) {
                int digit = bytes[at] - '0';
                if (digit < 0 || digit > 9) {
                    return Double.NaN;
                }
                written = Math.min(written * 10 + digit, LARGEST_EXPONENT);
            }
            exponent += down ? -written : written;
        }
        if (cut) {
            return slowly(bytes, begin, end);
        }
        double value = value(mantissa, exponent);
        return value < 0 ? slowly(bytes, begin, end) : negative ? -value : value;
    }

    private static boolean isSpace(byte value) {
        return value == ' ' || value == '\t' || value == '\r' || value == '\n';
    }

    private static double slowly(byte[] bytes, int begin, int end) {
        return Double.parseDouble(new String(bytes, begin, end - begin, StandardCharsets.ISO_8859_1));
    }

    /** mantissa · 10^power, or −1 where it cannot be told without all digits. */
    private static double value(long mantissa, int power) {
        if (mantissa == 0) {
            return 0;
        }
        if (power >= -HIGHEST_EXACT && power <= HIGHEST_EXACT && (mantissa >>> (MANTISSA_BITS + 1)) == 0) {
            return power < 0 ? mantissa / EXACT[-power] : mantissa * EXACT[power];
        }
        if (power < LOWEST_POWER || power > HIGHEST_POWER) {
            return power < 0 ? 0 : Double.POSITIVE_INFINITY;
        }
        int zeros = Long.numberOfLeadingZeros(mantissa);
        long w = mantissa << zeros;
        long factor = HIGH[power - LOWEST_POWER];
        long high = multiplyHigh(w, factor);
        long low = w * factor;
        long undecided = (1L << KEPT) - 1;
        if ((high & undecided) == undecided) {
            long more = multiplyHigh(w, LOW[power - LOWEST_POWER]);
            low += more;
            high += Long.compareUnsigned(low, more) < 0 ? 1 : 0;
            if (low == -1L) {
                return -1;
            }
        }
        int upper = (int) (high >>> (Long.SIZE - 1));
        long bits = high >>> (upper + KEPT);
        // floor(power · log2 10) by an integer that is exact in this range (Lemire 2021)
        int exponent = ((217_706 * power) >> 16) + (Long.SIZE - 1) + upper - zeros + BIAS;
        if (exponent <= 0) {
            return -1; // subnormal, or next to it
        }
        boolean tie = Long.compareUnsigned(low, 1) <= 0
                && power >= -4
                && power <= 23
                && (bits & 3) == 1
                && bits << (upper + KEPT) == high;
        bits = ((tie ? bits & ~1L : bits) + (tie ? 0 : bits & 1)) >>> 1;
        if (bits >>> (MANTISSA_BITS + 1) != 0) {
            bits = 1L << MANTISSA_BITS;
            exponent++;
        }
        return exponent >= INFINITE
                ? Double.POSITIVE_INFINITY
                : Double.longBitsToDouble((bits & ((1L << MANTISSA_BITS) - 1)) | ((long) exponent << MANTISSA_BITS));
    }

    /** The upper half of a product of unsigned numbers. */
    private static long multiplyHigh(long a, long b) {
        return Math.multiplyHigh(a, b) + ((a >> (Long.SIZE - 1)) & b) + ((b >> (Long.SIZE - 1)) & a);
    }
}

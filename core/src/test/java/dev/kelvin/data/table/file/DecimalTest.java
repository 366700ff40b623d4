package dev.kelvin.data.table.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kelvin.tensor.Key;
import java.math.BigDecimal;
import java.util.Locale;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Numbers are Java's own, to the last bit. */
class DecimalTest {
    private static final int CASES = 20_000;

    private static double parse(String text) {
        return Decimal.parse(text);
    }

    private static void assertSame(String text) {
        long found = Double.doubleToRawLongBits(parse(text));
        if (found != Double.doubleToRawLongBits(Double.parseDouble(text))) {
            assertThat(parse(text)).as(text).isEqualTo(Double.parseDouble(text));
        }
    }

    @Test
    void allDoublesComeBack() {
        RandomGenerator random = Key.of(1).stream();
        for (int i = 0; i < CASES; i++) {
            double value = Double.longBitsToDouble(random.nextLong());
            if (Double.isFinite(value)) {
                assertSame(Double.toString(value));
            }
        }
    }

    @Test
    void numbersAsTablesHaveThem() {
        RandomGenerator random = Key.of(2).stream();
        for (int i = 0; i < CASES; i++) {
            assertSame(Double.toString(random.nextGaussian()));
            assertSame(Float.toString((float) random.nextGaussian()));
            if (i % 20 == 0) {
                assertSame(String.format(Locale.ROOT, "%.18e", random.nextGaussian()));
            }
        }
    }

    @Test
    void digitsAndPowersOfAnyKind() {
        RandomGenerator random = Key.of(3).stream();
        for (int i = 0; i < CASES; i++) {
            int digits = 1 + random.nextInt(22);
            StringBuilder text = new StringBuilder(random.nextBoolean() ? "-" : "");
            int point = random.nextInt(digits + 2);
            for (int j = 0; j < digits; j++) {
                text.append(j == point ? "." : "").append(random.nextInt(10));
            }
            assertSame(text + (random.nextBoolean() ? "e" + (random.nextInt(700) - 350) : ""));
        }
    }

    /** Halfway between two doubles, and one digit beside: where a rounding that is nearly right is wrong. */
    @Test
    void halfwayCases() {
        RandomGenerator random = Key.of(4).stream();
        for (int i = 0; i < CASES / 10; i++) {
            double value = Double.longBitsToDouble(
                    ((long) (1023 + random.nextInt(80) - 20) << 52) | (random.nextLong() >>> 12));
            BigDecimal middle = new BigDecimal(value)
                    .add(new BigDecimal(Math.nextUp(value)))
                    .divide(BigDecimal.valueOf(2));
            assertSame(middle.toString());
            assertSame(middle.add(middle.ulp()).toString());
            assertSame(middle.subtract(middle.ulp()).toString());
        }
        for (long low = 1; low < CASES / 10; low++) { // of 19 digits, decided without Java's parser
            assertSame(Long.toString((1L << 53) + 2 * low - 1));
            assertSame(Long.toString((1L << 62) + 256 * (2 * low + 1)));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0",
                "-0",
                "+1",
                ".5",
                "5.",
                "-.5e1",
                "1E5",
                "1e+05",
                "007",
                "1e-400",
                "1e400",
                "-1e999999999999",
                "4.9e-324",
                "2.4703282292062328e-324",
                "2.2250738585072011e-308",
                "1.7976931348623159e308",
                "9007199254740993",
                "0.000000000000000000000000000000000000001",
                "18446744073709551616",
                "1234567890123456789012345678901234567890",
                "0e0",
                "0.0000e999"
            })
    void edges(String text) {
        assertSame(text);
        assertThat(parse("  " + text + "\t\r")).isEqualTo(Double.parseDouble(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                ".",
                "-",
                "+",
                "e5",
                "1e",
                "1e+",
                "1e5.0",
                "1.2.3",
                "1,5",
                "--1",
                "1 2",
                "1d",
                "1f",
                "0x10",
                "NaN",
                "inf",
                "Infinity",
                "1_000",
                "1e5x",
                "½",
                "٣"
            })
    void notNumbers(String text) {
        assertThat(parse(text)).isNaN();
    }
}

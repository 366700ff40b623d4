package dev.kelvin.draw;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NumbersTest {
    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "-0.0, 0",
        "0.034159, 0.0342",
        "0.31, 0.310",
        "0.9999, 1.00",
        "-1.2345, −1.23",
        "12.34, 12.3",
        "1234, 1234",
        "20000, 20\u202F000",
        "12345.6, 12\u202F300",
        "1234567, 1\u202F234\u202F567",
        "1e7, 1 × 10⁷",
        "-3.14159e38, −3.14 × 10³⁸",
        "1.7976931348623157e308, 1.8 × 10³⁰⁸",
        "0.00001234, 1.23 × 10⁻⁵",
        "4.9e-324, 4.94 × 10⁻³²⁴",
        "NaN, not a number",
        "Infinity, infinite",
        "-Infinity, minus infinity"
    })
    void writesNumbersForPeople(double value, String expected) {
        assertThat(Numbers.forPeople(value)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"0.4, 0.4", "1.2000000000000002, 1.2", "-100.25, −100.25", "1e-8, 1 × 10⁻⁸", "20000, 20\u202F000"})
    void ticksHaveNoTrailingZeros(double value, String expected) {
        assertThat(Numbers.onAxis(value)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "1.23456, 0.01234, 1.235 ± 0.012",
        "-223.4567, 12.34, −223 ± 12",
        "0.5, 0.25, 0.50 ± 0.25",
        "0, 0.0123, 0.000 ± 0.012",
        "3, 0, 3 ± 0",
        "2.5, NaN, 2.5 ± not a number",
        "Infinity, 1, infinite ± 1",
        "1.5e-9, 2.5e-10, 1.5 × 10⁻⁹ ± 2.5 × 10⁻¹⁰"
    })
    void aNumberHasTheDigitsThatItsErrorLeaves(double value, double error, String text) {
        assertThat(Numbers.withError(value, error)).isEqualTo(text);
    }
}

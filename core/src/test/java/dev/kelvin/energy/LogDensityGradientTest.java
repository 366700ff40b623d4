package dev.kelvin.energy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.energy.analytic.Banana;
import dev.kelvin.energy.analytic.DoubleWell;
import dev.kelvin.part.SettingException;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleBinaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Densities made of densities: what they are, and their gradients. */
class LogDensityGradientTest {
    private static final Banana BANANA = new Banana(1.5, 0.4);
    private static final DoubleWell WELL = new DoubleWell(2, 1.2, 0.8);

    /** Without a gradient of its own: by automatic differentiation. */
    private static final LogDensity WAVES = x -> x.cos().sumPerSample();

    /** A density made of the banana's f = a and the well's f = b, and the number it should be. */
    record Case(String name, LogDensity density, DoubleBinaryOperator value) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Case> cases() {
        return Stream.of(
                new Case("tempered", BANANA.tempered(4), (a, b) -> a / 4),
                new Case("scaled", BANANA.scaled(-0.3), (a, b) -> -0.3 * a),
                new Case("scaled to nothing", BANANA.scaled(0), (a, b) -> 0 * a),
                new Case("plus", BANANA.plus(WELL), (a, b) -> a + b),
                new Case("all", BANANA.scaled(2).plus(WELL.tempered(0.5)).scaled(0.1), (a, b) -> 0.2 * (a + b)));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void isWhatItsPartsAreAndSoIsItsGradient(Case c) {
        try (Scope scope = Scope.open()) {
            Tensor x = BANANA.draw(Key.of(81), 20, DType.DOUBLE);
            double[] a = BANANA.at(x).toDoubles();
            double[] b = WELL.at(x).toDoubles();
            ValueAndGradient both = c.density.valueAndGradient(x);
            double[] values = both.value().toDoubles();
            for (int i = 0; i < a.length; i++) {
                double expected = c.value.applyAsDouble(a[i], b[i]);
                assertThat(values[i]).isCloseTo(expected, within(1e-13 * (1 + Math.abs(expected))));
            }
            assertThat(c.density.at(x).toDoubles()).containsExactly(values, within(1e-12));
            assertThat(c.density.gradient(x).toDoubles())
                    .isEqualTo(both.gradient().toDoubles());
            assertThat(Differences.worstError(c.density, x, both.gradient())).isLessThan(1e-6);
        }
    }

    @Test
    void partsMayComeByAutomaticDifferentiation() {
        try (Scope scope = Scope.open()) {
            Tensor x = BANANA.draw(Key.of(82), 20, DType.DOUBLE);
            LogDensity sum = WAVES.scaled(3).plus(BANANA).tempered(2);
            assertThat(Differences.worstError(sum, x, sum.gradient(x))).isLessThan(1e-6);
            assertThat(sum.gradient(x).requiresGrad()).isFalse();
            assertThat(sum.valueAndGradient(x).value().requiresGrad()).isFalse();
        }
    }

    /** A scale for each coordinate, and one for each row. */
    static Stream<double[]> scales() {
        double[] rows = new double[20];
        Arrays.setAll(rows, i -> 0.5 + 0.1 * i);
        return Stream.of(new double[] {0.5, 2}, rows);
    }

    @ParameterizedTest
    @MethodSource("scales")
    void rescaledIsTheDensityElsewhereAndSoIsItsGradient(double[] numbers) {
        try (Scope scope = Scope.open()) {
            Tensor u = BANANA.draw(Key.of(84), 20, DType.DOUBLE);
            Tensor scale = numbers.length == 2 ? Tensors.of(numbers, 1, 2) : Tensors.of(numbers, numbers.length, 1);
            for (LogDensity f : List.of(BANANA, WAVES)) {
                LogDensity rescaled = f.rescaled(scale);
                ValueAndGradient both = rescaled.valueAndGradient(u);
                double[] expected = f.at(u.times(scale)).toDoubles();
                assertThat(both.value().toDoubles()).containsExactly(expected, within(1e-12));
                assertThat(rescaled.at(u).toDoubles()).containsExactly(expected, within(1e-12));
                assertThat(rescaled.gradient(u).toDoubles())
                        .isEqualTo(both.gradient().toDoubles());
                assertThat(Differences.worstError(rescaled, u, both.gradient())).isLessThan(1e-6);
                assertThat(Differences.worstError(rescaled, u, f.gradient(u.times(scale))))
                        .isGreaterThan(1e-6); // the twin: the chain rule forgotten
            }
        }
    }

    @Test
    void eachSampleHasItsTemperature() {
        try (Scope scope = Scope.open()) {
            Tensor x = BANANA.draw(Key.of(85), 20, DType.DOUBLE);
            double[] temperatures = new double[20];
            Arrays.setAll(temperatures, i -> 0.5 + i);
            for (LogDensity f : List.of(BANANA, WAVES)) {
                LogDensity tempered = f.tempered(Tensors.of(temperatures, 20));
                ValueAndGradient both = tempered.valueAndGradient(x);
                double[] expected = f.at(x).toDoubles();
                Arrays.setAll(expected, i -> expected[i] / temperatures[i]);
                assertThat(both.value().toDoubles()).containsExactly(expected, within(1e-12));
                assertThat(tempered.at(x).toDoubles()).containsExactly(expected, within(1e-12));
                assertThat(tempered.gradient(x).toDoubles())
                        .isEqualTo(both.gradient().toDoubles());
                assertThat(Differences.worstError(tempered, x, both.gradient())).isLessThan(1e-6);
            }
        }
    }

    @Test
    void imagesHaveTemperaturesToo() {
        try (Scope scope = Scope.open()) {
            Tensor x = Tensors.normal(Key.of(86), DType.DOUBLE, Device.CPU, 2, 3, 4, 4);
            Tensor temperatures = Tensors.of(new double[] {1, 4}, 2);
            double[] plain = WAVES.gradient(x).toDoubles();
            double[] tempered = WAVES.tempered(temperatures).gradient(x).toDoubles();
            for (int i = 0; i < plain.length; i++) {
                assertThat(tempered[i]).isCloseTo(plain[i] / (i < 48 ? 1 : 4), within(1e-15));
            }
        }
    }

    /** Where u = x/s, a limit on ∇f is one on s times it, and rows at a temperature have 1/T of it. */
    @Test
    void limitsAreThoseOfXInAnyCoordinates() {
        double[] numbers = {0.5, 2, 4};
        try (Scope scope = Scope.open()) {
            Tensor x = Tensors.of(new double[] {1, -2, 0.5, 3, -0.1, -4}, 3, 2);
            Tensor gradient = BANANA.gradient(x);
            double[] clipped = gradient.clamp(-0.3, 0.3).toDoubles();
            double[] clamped = x.clamp(-1, 0.7).toDoubles();
            assertThat(clipped).isNotEqualTo(gradient.toDoubles());
            assertThat(BANANA.clip(gradient, 0.3).toDoubles()).isEqualTo(clipped);
            assertThat(BANANA.clamp(x, -1, 0.7).toDoubles()).isEqualTo(clamped);

            Tensor scale = Tensors.of(numbers, 3, 1);
            Tensor temperature = Tensors.of(numbers, 3);
            for (LogDensity plain : List.of(BANANA, BANANA.plus(BANANA.scaled(0)))) {
                LogDensity rescaled = plain.rescaled(scale);
                Tensor u = x.over(scale);
                assertLimits(rescaled, u, scale, scale, clipped, clamped);
                LogDensity rungs = rescaled.tempered(temperature);
                assertLimits(rungs, u, scale.over(temperature.unsqueeze(1)), scale, clipped, clamped);
                assertLimits(rungs.rows(0, 1, 2), u, scale.over(temperature.unsqueeze(1)), scale, clipped, clamped);
            }
        }
    }

    /** The limited gradient is {@code factor} times that of x, the limited sample a {@code scale}-th of it. */
    private static void assertLimits(
            LogDensity f, Tensor u, Tensor factor, Tensor scale, double[] clipped, double[] clamped) {
        double[] gradient = f.clip(f.gradient(u), 0.3).over(factor).toDoubles();
        assertThat(gradient).containsExactly(clipped, within(1e-12));
        assertThat(f.clamp(u, -1, 0.7).times(scale).toDoubles()).containsExactly(clamped, within(1e-12));
    }

    /** factor · f is a density of its own, whose gradient is limited as a whole; so is a sum's. */
    @Test
    void aMultipleIsLimitedAsAWhole() {
        try (Scope scope = Scope.open()) {
            Tensor x = BANANA.draw(Key.of(88), 20, DType.DOUBLE);
            for (LogDensity f : List.of(
                    BANANA.scaled(0.1), BANANA.tempered(3), BANANA.scaled(2).plus(WELL))) {
                Tensor gradient = f.gradient(x);
                assertThat(f.clip(gradient, 0.3).toDoubles())
                        .isEqualTo(gradient.clamp(-0.3, 0.3).toDoubles());
            }
        }
    }

    @Test
    void theCheckSeesATemperatureForgottenInTheGradient() {
        try (Scope scope = Scope.open()) {
            Tensor x = BANANA.draw(Key.of(83), 20, DType.DOUBLE);
            assertThat(Differences.worstError(BANANA.tempered(1.001), x, BANANA.gradient(x)))
                    .isGreaterThan(1e-6);
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, -1, Double.NaN, Double.POSITIVE_INFINITY})
    void aTemperatureThatIsNoneIsRefused(double temperature) {
        assertThatThrownBy(() -> BANANA.tempered(temperature))
                .isInstanceOf(SettingException.class)
                .hasMessageContaining("temperature must be above 0");
    }

    @ParameterizedTest
    @ValueSource(doubles = {Double.NEGATIVE_INFINITY, Double.NaN, Double.POSITIVE_INFINITY})
    void aFactorThatIsNoneIsRefused(double factor) {
        assertThatThrownBy(() -> BANANA.scaled(factor))
                .isInstanceOf(SettingException.class)
                .hasMessageContaining("factor must be a finite number");
    }
}

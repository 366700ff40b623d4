package dev.kelvin.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.energy.LogDensity;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The kernels' parts by hand, in double, on f = −x²/2. */
class KernelGoldenTest {
    private static final LogDensity HALF_SQUARE = x -> x.square().sumPerSample().times(-0.5);
    private static final double ROUNDING = 1e-12;

    private static double logAcceptance(Mala mala, double from, double to) {
        try (Scope scope = Scope.open()) {
            Evaluated x = mala.start(HALF_SQUARE, Tensors.of(new double[] {from}, 1, 1));
            Evaluated y = mala.start(HALF_SQUARE, Tensors.of(new double[] {to}, 1, 1));
            return logAcceptance(mala, x, y).item();
        }
    }

    private static Tensor logAcceptance(Mala mala, Evaluated x, Evaluated y) {
        Tensor noise = y.x().minus(x.x()).minus(x.gradient().times(mala.stepSize()));
        return mala.logAcceptance(x, y, noise);
    }

    /** SYSTEMS.md section 8: T = 1, h = .1, 1 → .7. */
    @Test
    void logAcceptanceOfMala() {
        assertThat(logAcceptance(new Mala(0.1, 1), 1, 0.7)).isCloseTo(0.01275, within(ROUNDING));
    }

    /** For this f the log-ratio is h(x² − y²)/4T. */
    @ParameterizedTest
    @CsvSource({"0.1, 1, 1, 0.7", "0.1, 1, 0.7, 1", "0.3, 2, -1.5, 0.4", "1.7, 0.25, 2, -3", "0.01, 5e-5, 0.1, 0.11"})
    void logAcceptanceInClosedForm(double h, double temperature, double x, double y) {
        // (x² − y²)/2T + [(y − mx)² − (x − my)²]/4hT with (y − mx)² − (x − my)² = (1 − m²)(y² − x²), 1 − m² = 2h − h²
        double expected = h * (x * x - y * y) / (4 * temperature);
        assertThat(logAcceptance(new Mala(h, temperature), x, y))
                .isCloseTo(expected, within(ROUNDING * (1 + (x * x + y * y) / (h * temperature))));
    }

    @Test
    void logAcceptanceOfAnImageAddsUpItsPixels() {
        try (Scope scope = Scope.open()) {
            Mala mala = new Mala(0.1, 1);
            Evaluated x = mala.start(HALF_SQUARE, Tensors.full(1, DType.DOUBLE, Device.CPU, 2, 3, 4, 4));
            Evaluated y = mala.start(HALF_SQUARE, Tensors.full(0.7, DType.DOUBLE, Device.CPU, 2, 3, 4, 4));
            assertThat(logAcceptance(mala, x, y).toDoubles())
                    .containsExactly(new double[] {48 * 0.01275, 48 * 0.01275}, within(48 * ROUNDING));
        }
    }

    private static double[] step(Kernel<Position> kernel, double... x) {
        try (Scope scope = Scope.open()) {
            Position start = kernel.start(HALF_SQUARE, Tensors.of(x, x.length, 1));
            return kernel.step(Key.of(1), HALF_SQUARE, start).state().x().toDoubles();
        }
    }

    @Test
    void gradientDescentAndLangevinWithoutNoiseAreTheSameStep() {
        double[] expected = {0.9, -1.8, 0.45};
        assertThat(step(new GradientDescent(0.1, Limits.NONE), 1, -2, 0.5)).containsExactly(expected, within(ROUNDING));
        assertThat(step(new Langevin(0.1, 0, false, Limits.NONE), 1, -2, 0.5))
                .containsExactly(expected, within(ROUNDING));
        assertThat(step(new Langevin(0.1, 0, true, Limits.NONE), 1, -2, 0.5))
                .containsExactly(expected, within(ROUNDING));
    }

    @Test
    void clipBoundsTheGradientAndClampThePosition() {
        Limits clip = new Limits(OptionalDouble.of(0.6), Optional.empty());
        Limits clamp = new Limits(OptionalDouble.empty(), Optional.of(List.of(-1.0, 0.47)));
        // 1 − .1·.6, −2 + .1·.6, .5 − .1·.5
        double[] clipped = {0.94, -1.94, 0.45};
        double[] clamped = {0.47, -1, 0.45};
        for (boolean noiseFirst : new boolean[] {false, true}) {
            assertThat(step(new Langevin(0.1, 0, noiseFirst, clip), 1, -2, 0.5))
                    .containsExactly(clipped, within(ROUNDING));
            assertThat(step(new Langevin(0.1, 0, noiseFirst, clamp), 1, -2, 0.5))
                    .containsExactly(clamped, within(ROUNDING));
        }
        assertThat(step(new GradientDescent(0.1, clip), 1, -2, 0.5)).containsExactly(clipped, within(ROUNDING));
        assertThat(step(new GradientDescent(0.1, clamp), 1, -2, 0.5)).containsExactly(clamped, within(ROUNDING));
    }

    /** Noise last: (1 − h)x + σξ. Noise first: (1 − h)(x + σξ). The same key gives the same ξ. */
    @Test
    void noiseFirstTakesTheGradientWhereTheNoiseLed() {
        double[] x = {1, -2, 0.5};
        double[] last = step(new Langevin(0.1, 0.3, false, Limits.NONE), x);
        double[] first = step(new Langevin(0.1, 0.3, true, Limits.NONE), x);
        for (int i = 0; i < x.length; i++) {
            double noise = last[i] - 0.9 * x[i];
            assertThat(Math.abs(noise)).isGreaterThan(1e-6);
            assertThat(first[i]).isCloseTo(0.9 * (x[i] + noise), within(ROUNDING));
        }
    }

    @Test
    void temperatureIsTiedToStepAndNoise() {
        // SYSTEMS.md section 0: JEM's h = 1, σ = .01 is T = 5e-5
        assertThat(new Langevin(1, 0.01, false, Limits.NONE).temperature()).isCloseTo(5e-5, within(1e-19));
        assertThat(Langevin.at(0.02, 1).noise()).isCloseTo(0.2, within(1e-16));
        assertThat(Langevin.at(0.3, 2.5).temperature()).isCloseTo(2.5, within(1e-15));
    }

    @Test
    void malaRejectsWhereTheDensityIsZero() {
        try (Scope scope = Scope.open()) {
            LogDensity wall = x -> x.sumPerSample().times(0).plus(Double.NEGATIVE_INFINITY);
            Tensor x = Tensors.of(new double[] {1, 2}, 1, 2);
            Tensor zero = Tensors.of(new double[] {0});
            Evaluated inside = new Evaluated(x, zero, Tensors.zerosLike(x));
            Transition<Evaluated> next = new Mala(0.1, 1).step(Key.of(1), wall, inside);
            assertThat(next.state().x().toDoubles()).containsExactly(1, 2);
            assertThat(next.state().value().toDoubles()).containsExactly(0);
            assertThat(next.info().acceptance().orElseThrow().toDoubles()).containsExactly(0);
        }
    }
}

package dev.kelvin.sample;

import static dev.kelvin.sample.Changed.range;
import static dev.kelvin.sample.Changed.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.energy.LogDensity;
import dev.kelvin.sample.chain.ChainRun;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
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
            return logAcceptance(mala, x, y)[0];
        }
    }

    private static double[] logAcceptance(Mala mala, Evaluated x, Evaluated y) {
        Tensor noise = y.x().minus(x.x()).minus(x.gradient().times(mala.stepSize()));
        return mala.logAcceptance(x, y, noise);
    }

    /** SYSTEMS.md section 8: T = 1, h = .1, 1 → .7. */
    @Test
    void logAcceptanceOfMala() {
        assertThat(logAcceptance(Mala.of(0.1), 1, 0.7)).isCloseTo(0.01275, within(ROUNDING));
    }

    /** For this f the log-ratio is h(x² − y²)/4T. */
    @ParameterizedTest
    @CsvSource({"0.1, 1, 1, 0.7", "0.1, 1, 0.7, 1", "0.3, 2, -1.5, 0.4", "1.7, 0.25, 2, -3", "0.01, 5e-5, 0.1, 0.11"})
    void logAcceptanceInClosedForm(double h, double temperature, double x, double y) {
        // (x² − y²)/2T + [(y − mx)² − (x − my)²]/4hT with (y − mx)² − (x − my)² = (1 − m²)(y² − x²), 1 − m² = 2h − h²
        double expected = h * (x * x - y * y) / (4 * temperature);
        assertThat(logAcceptance(with(Mala.of(h), "temperature", temperature), x, y))
                .isCloseTo(expected, within(ROUNDING * (1 + (x * x + y * y) / (h * temperature))));
    }

    @Test
    void logAcceptanceOfAnImageAddsUpItsPixels() {
        try (Scope scope = Scope.open()) {
            Mala mala = Mala.of(0.1);
            Evaluated x = mala.start(HALF_SQUARE, Tensors.full(1, DType.DOUBLE, Device.CPU, 2, 3, 4, 4));
            Evaluated y = mala.start(HALF_SQUARE, Tensors.full(0.7, DType.DOUBLE, Device.CPU, 2, 3, 4, 4));
            assertThat(logAcceptance(mala, x, y))
                    .containsExactly(new double[] {48 * 0.01275, 48 * 0.01275}, within(48 * ROUNDING));
        }
    }

    /** On a GPU the acceptance is computed there; the same numbers. */
    @Test
    void logAcceptanceByTensorsIsTheSame() {
        try (Scope scope = Scope.open()) {
            Mala mala = with(Mala.of(0.3), "temperature", 2, "clip", 0.5);
            Tensor from = Tensors.normal(Key.of(1), DType.DOUBLE, Device.CPU, 50, 3);
            Tensor noisy = Tensors.normal(Key.of(2), DType.DOUBLE, Device.CPU, 50, 3);
            Evaluated x = mala.start(HALF_SQUARE, from);
            Evaluated y = mala.start(HALF_SQUARE, from.plus(x.gradient(), 0.3).plus(noisy));
            double[] expected = mala.logAcceptance(x, y, noisy.copy());
            assertThat(mala.logAcceptanceByTensors(x, y, noisy.copy()).toDoubles())
                    .containsExactly(expected, within(100 * ROUNDING));
        }
    }

    private static double[] step(Kernel<?> kernel, double... x) {
        try (Scope scope = Scope.open()) {
            return onlyStep(kernel, HALF_SQUARE, Tensors.of(x, x.length, 1)).toDoubles();
        }
    }

    private static <S extends ChainState> Tensor onlyStep(Kernel<S> kernel, LogDensity target, Tensor x) {
        return kernel.step(Key.of(1), target, kernel.start(target, x)).state().x();
    }

    @Test
    void gradientDescentAndLangevinWithoutNoiseAreTheSameStep() {
        double[] expected = {0.9, -1.8, 0.45};
        assertThat(step(GradientDescent.of(0.1), 1, -2, 0.5)).containsExactly(expected, within(ROUNDING));
        assertThat(step(with(Langevin.of(0.1), "noise", 0), 1, -2, 0.5)).containsExactly(expected, within(ROUNDING));
        assertThat(step(with(Langevin.of(0.1), "noise", 0, "noiseFirst", true), 1, -2, 0.5))
                .containsExactly(expected, within(ROUNDING));
    }

    @Test
    void clipBoundsTheGradientAndClampThePosition() {
        // 1 − .1·.6, −2 + .1·.6, .5 − .1·.5
        double[] clipped = {0.94, -1.94, 0.45};
        double[] clamped = {0.47, -1, 0.45};
        Langevin still = with(Langevin.of(0.1), "noise", 0);
        for (Langevin langevin : List.of(still, with(still, "noiseFirst", true))) {
            assertThat(step(with(langevin, "clip", 0.6), 1, -2, 0.5)).containsExactly(clipped, within(ROUNDING));
            assertThat(step(with(langevin, "clamp", range(-1, 0.47)), 1, -2, 0.5))
                    .containsExactly(clamped, within(ROUNDING));
        }
        GradientDescent descent = GradientDescent.of(0.1);
        assertThat(step(with(descent, "clip", 0.6), 1, -2, 0.5)).containsExactly(clipped, within(ROUNDING));
        assertThat(step(with(descent, "clamp", range(-1, 0.47)), 1, -2, 0.5))
                .containsExactly(clamped, within(ROUNDING));
    }

    /** Noise last: (1 − h)x + σξ. Noise first: (1 − h)(x + σξ). The same key gives the same ξ. */
    @Test
    void noiseFirstTakesTheGradientWhereTheNoiseLed() {
        double[] x = {1, -2, 0.5};
        double[] last = step(with(Langevin.of(0.1), "noise", 0.3), x);
        double[] first = step(with(Langevin.of(0.1), "noise", 0.3, "noiseFirst", true), x);
        for (int i = 0; i < x.length; i++) {
            double noise = last[i] - 0.9 * x[i];
            assertThat(Math.abs(noise)).isGreaterThan(1e-6);
            assertThat(first[i]).isCloseTo(0.9 * (x[i] + noise), within(ROUNDING));
        }
    }

    @Test
    void temperatureIsTiedToStepAndNoise() {
        // SYSTEMS.md section 0: JEM's h = 1, σ = .01 is T = 5e-5
        assertThat(with(Langevin.of(1), "noise", 0.01).traits().temperature().orElseThrow())
                .isCloseTo(5e-5, within(1e-19));
        assertThat(with(Langevin.of(0.3), "temperature", 2.5).traits().temperature())
                .hasValue(2.5);
        assertThat(with(Langevin.of(0.3), "noise", 0).traits().temperature()).isEmpty();
        double[] tied = step(Langevin.of(0.02), 1, -2, 0.5); // √(2h) = .2
        assertThat(tied).containsExactly(step(with(Langevin.of(0.02), "noise", 0.2), 1, -2, 0.5), within(1e-15));
    }

    @Test
    void malaRejectsWhereTheDensityIsZero() {
        try (Scope scope = Scope.open()) {
            LogDensity wall = x -> x.sumPerSample().times(0).plus(Double.NEGATIVE_INFINITY);
            Tensor x = Tensors.of(new double[] {1, 2}, 1, 2);
            Tensor zero = Tensors.of(new double[] {0});
            Evaluated inside = new Evaluated(x, zero, Tensors.zerosLike(x));
            Transition<Evaluated> next = Mala.of(0.1).step(Key.of(1), wall, inside);
            assertThat(next.state().x().toDoubles()).containsExactly(1, 2);
            assertThat(next.state().value().toDoubles()).containsExactly(0);
            assertThat(next.info().acceptance().orElseThrow().toDoubles()).containsExactly(0);
        }
    }

    @Test
    void aChainWhereTheDensityIsZeroIsLetGo() {
        try (Scope scope = Scope.open()) {
            LogDensity flat = x -> x.sumPerSample().times(0);
            Tensor x = Tensors.of(new double[] {1, 2}, 1, 2);
            Tensor none = Tensors.of(new double[] {Double.NEGATIVE_INFINITY});
            Evaluated outside = new Evaluated(x, none, Tensors.zerosLike(x));
            for (Kernel<Evaluated> kernel : List.of(Mala.of(0.1), Hmc.of(0.1, 2))) {
                Transition<Evaluated> next = kernel.step(Key.of(1), flat, outside);
                assertThat(next.state().x().toDoubles()).isNotEqualTo(x.toDoubles());
                assertThat(next.info().acceptance().orElseThrow().toDoubles()).containsExactly(1);
            }
        }
    }

    /** σ² = 2h has nothing to say about T: exp(f/T) by Roberts and Tweedie's ratio with σ of its own. */
    @Test
    void logAcceptanceOfUntiedMala() {
        // h = .1, σ = .5, T = 2, 1 → .7: (.5 − .245)/2 + (.7 − .9)²/.5 − (1 − .63)²/.5
        assertThat(logAcceptance(with(Mala.of(0.1), "noise", 0.5, "mhTemperature", 2), 1, 0.7))
                .isCloseTo(-0.0663, within(ROUNDING));
        assertThat(with(Mala.of(0.1), "noise", 0.5, "mhTemperature", 2).withStepSize(0.4))
                .isEqualTo(with(Mala.of(0.4), "noise", 1, "mhTemperature", 2));
    }

    /** Of variance 2h whatever noise is added, it is that of T = 1; the table of issue 31's audit at h = 100, n = 1e-4. */
    @Test
    void logAcceptanceOfTheStepsOwnRatio() {
        Mala step = with(Mala.of(0.1), "noise", 0.5, "ratio", Mala.Ratio.STEP);
        assertThat(logAcceptance(step, 1, 0.7)).isCloseTo(0.01275, within(ROUNDING));
        // (.5 − .245)/2 + [(.7 − .9)² − (1 − .63)²]/(4·.1·2)
        assertThat(logAcceptance(with(step, "mhTemperature", 2), 1, 0.7)).isCloseTo(0.006375, within(ROUNDING));
        LogDensity wide = x -> x.tanh().sumPerSample().times(1e-4); // gradients of at most 1e-4, as the thesis reports
        try (Scope scope = Scope.open()) {
            Tensor x = Tensors.normal(Key.of(1), DType.DOUBLE, Device.CPU, 20, 3072);
            Mala thesis = with(Mala.of(100), "noise", 1e-4, "ratio", Mala.Ratio.STEP);
            Mala untied = with(Mala.of(100), "noise", 1e-4, "mhTemperature", 1);
            assertThat(acceptance(thesis, wide, x)).isCloseTo(1.0, within(1e-3));
            assertThat(acceptance(untied, wide, x)).isZero();
        }
    }

    private static double acceptance(Mala mala, LogDensity target, Tensor x) {
        return ChainRun.run(Key.of(2), mala, target, x, 3).acceptance().orElseThrow();
    }

    /** E(y)/E(x)·q(x|y)/q(y|x), q about x + h∇log E(x) = x + 2h/x. */
    @Test
    void logAcceptanceAsPrinted() {
        Mala printed = with(Mala.of(0.1), "noise", 0.5, "ratio", Mala.Ratio.PRINTED);
        double there = Math.pow(0.7 - 1 - 0.1 * 2 / 1, 2);
        double back = Math.pow(1 - 0.7 - 0.1 * 2 / 0.7, 2);
        double expected = Math.log(0.49) + (there - back) / (4 * 0.1);
        assertThat(expected).isCloseTo(-0.08886, within(1e-6));
        assertThat(logAcceptance(printed, 1, 0.7)).isCloseTo(expected, within(ROUNDING));
        double warm = Math.log(0.49) // T = 2: h is that of f/T, 2·.1
                + (Math.pow(-0.3 - 0.2 * 2, 2) - Math.pow(0.3 - 0.2 * 2 / 0.7, 2)) / (4 * 0.2);
        assertThat(logAcceptance(with(printed, "mhTemperature", 2), 1, 0.7)).isCloseTo(warm, within(ROUNDING));
        LogDensity line = x -> x.sumPerSample(); // energies of two signs
        try (Scope scope = Scope.open()) {
            Evaluated x = Evaluated.at(line, Tensors.of(new double[] {1, 1}, 2, 1));
            Evaluated y = Evaluated.at(line, Tensors.of(new double[] {-0.5, 0.5}, 2, 1));
            double[] logs = logAcceptance(printed, x, y);
            assertThat(logs[0]).isEqualTo(Double.NEGATIVE_INFINITY);
            assertThat(logs[1]).isFinite();
            assertThat(printed.logAcceptanceByTensors(
                                    x, y, y.x().minus(x.x()).minus(x.gradient().times(0.1)))
                            .toDoubles())
                    .containsExactly(logs, within(ROUNDING));
        }
    }

    /** It goes where Langevin goes and tells the acceptance of its like that does reject. */
    @Test
    void malaThatRejectsNothing() {
        Mala judged = with(Mala.of(0.8), "noise", 0.9);
        try (Scope scope = Scope.open()) {
            Tensor x = Tensors.normal(Key.of(1), DType.DOUBLE, Device.CPU, 50, 2);
            Evaluated from = judged.start(HALF_SQUARE, x);
            Transition<Evaluated> free = with(judged, "reject", false).step(Key.of(2), HALF_SQUARE, from);
            Tensor noise = Tensors.normalLike(Key.of(2).split(2)[0], 0.9, x);
            assertThat(free.state().x().toDoubles())
                    .containsExactly(x.times(0.2).plus(noise).toDoubles(), within(ROUNDING));
            double[] rates = free.info().acceptance().orElseThrow().toDoubles();
            assertThat(rates)
                    .containsExactly(
                            judged.step(Key.of(2), HALF_SQUARE, from)
                                    .info()
                                    .acceptance()
                                    .orElseThrow()
                                    .toDoubles(),
                            within(1e-6)); // told as floats
            assertThat(Arrays.stream(rates).min().orElseThrow()).isLessThan(0.9);
        }
    }

    /** To the bit, with and without a noise of its own. */
    @Test
    void annealedLangevinIsLangevinsOwnSetting() {
        Decay decay = new Decay.Polynomial(3, 0.6);
        for (Langevin langevin : List.of(Langevin.of(0.1), with(Langevin.of(0.1), "noise", 0.3))) {
            try (Scope scope = Scope.open()) {
                Tensor x = Tensors.normal(Key.of(1), DType.DOUBLE, Device.CPU, 5, 2);
                assertThat(ChainRun.run(Key.of(2), new Annealed(langevin, decay), HALF_SQUARE, x, 6)
                                .x()
                                .toDoubles())
                        .containsExactly(
                                ChainRun.run(Key.of(2), with(langevin, "anneal", decay), HALF_SQUARE, x, 6)
                                        .x()
                                        .toDoubles(),
                                within(ROUNDING));
            }
        }
    }

    /** Each chain's acceptance, by hand, of clipped proposals that are clamped. */
    @Test
    void malaWithinLimits() {
        Mala mala = with(Mala.of(0.3), "noise", 0.5, "mhTemperature", 2, "clip", 0.6, "clamp", range(-1, 0.8));
        try (Scope scope = Scope.open()) {
            Tensor x = Tensors.uniform(Key.of(1), -1, 0.8, DType.DOUBLE, Device.CPU, 60, 1);
            Key key = Key.of(2);
            double[] found = mala.step(key, HALF_SQUARE, mala.start(HALF_SQUARE, x))
                    .info()
                    .acceptance()
                    .orElseThrow()
                    .toDoubles();
            double[] from = x.toDoubles();
            double[] noise = Tensors.normalLike(key.split(2)[0], 0.5, x).toDoubles();
            int clamped = 0;
            for (int i = 0; i < from.length; i++) {
                double free = from[i] + 0.3 * clip(-from[i]) + noise[i];
                double y = Math.max(-1, Math.min(0.8, free));
                double there = y - from[i] - 0.3 * clip(-from[i]);
                double back = from[i] - y - 0.3 * clip(-y);
                double log = (from[i] * from[i] - y * y) / 2 / 2 + (there * there - back * back) / (2 * 0.25);
                assertThat(found[i]).isCloseTo(Math.min(1, Math.exp(log)), within(1e-7)); // told as a float
                clamped += free == y ? 0 : 1;
            }
            assertThat(clamped).isBetween(10, 50);
        }
    }

    private static double clip(double gradient) {
        return Math.max(-0.6, Math.min(0.6, gradient));
    }

    // ---- tempered MALA

    private static TemperedMala.State heated(TemperedMala kernel, LogDensity target, int steps) {
        TemperedMala.State state = kernel.start(target, Tensors.of(new double[] {1, -2, 0.5}, 3, 1));
        for (int step = 0; step < steps; step++) {
            state = kernel.step(Key.of(step), target, state).state();
        }
        return state;
    }

    @Test
    void temperedMalaHeatsWhereAcceptanceIsAtMostTheThreshold() {
        try (Scope scope = Scope.open()) {
            LogDensity flat = x -> x.sumPerSample().times(0); // accepts with probability 1
            assertThat(heated(with(TemperedMala.of(0.1), "threshold", 1), flat, 0)
                            .temperature())
                    .isEqualTo(1);
            assertThat(heated(with(TemperedMala.of(0.1), "threshold", 1), flat, 3)
                            .temperature())
                    .isEqualTo(1000);
            assertThat(heated(with(TemperedMala.of(0.1), "threshold", 0.999), flat, 3)
                            .temperature())
                    .isEqualTo(1);
            assertThat(heated(with(TemperedMala.of(0.1), "threshold", 0.001), HALF_SQUARE, 3)
                            .temperature())
                    .isEqualTo(1);
        }
    }

    @Test
    void temperedMalaIsMalaAtItsTemperature() {
        try (Scope scope = Scope.open()) {
            TemperedMala tempered = with(TemperedMala.of(0.4), "threshold", 1, "factor", 8);
            TemperedMala.State state = heated(tempered, HALF_SQUARE, 1);
            double[] expected = with(Mala.of(0.05), "temperature", 8)
                    .step(Key.of(9), HALF_SQUARE, state.at())
                    .state()
                    .x()
                    .toDoubles();
            assertThat(tempered.step(Key.of(9), HALF_SQUARE, state).state().x().toDoubles())
                    .isEqualTo(expected);
        }
    }

    /** y = x + (h/T)∇f(x) + σξ at any T, accepted for exp(f/T). */
    @Test
    void temperedMalaWithANoiseOfItsOwn() {
        try (Scope scope = Scope.open()) {
            TemperedMala tempered = with(TemperedMala.of(0.4), "threshold", 1, "factor", 8, "noise", 0.7);
            TemperedMala.State state = heated(tempered, HALF_SQUARE, 1);
            assertThat(state.temperature()).isEqualTo(8);
            Transition<Evaluated> expected =
                    with(Mala.of(0.05), "noise", 0.7, "mhTemperature", 8).step(Key.of(9), HALF_SQUARE, state.at());
            Transition<TemperedMala.State> found = tempered.step(Key.of(9), HALF_SQUARE, state);
            assertThat(found.state().x().toDoubles())
                    .isEqualTo(expected.state().x().toDoubles());
            assertThat(found.info().acceptance().orElseThrow().toDoubles())
                    .isEqualTo(expected.info().acceptance().orElseThrow().toDoubles());
        }
    }

    /** With clip and clamp, and q of variance 2h at every temperature. */
    @Test
    void temperedMalaWithTheStepsOwnRatio() {
        try (Scope scope = Scope.open()) {
            TemperedMala tempered = with(
                    TemperedMala.of(0.4),
                    "threshold",
                    1,
                    "factor",
                    8,
                    "noise",
                    0.7,
                    "ratio",
                    Mala.Ratio.STEP,
                    "clip",
                    0.6,
                    "clamp",
                    range(-2, 0.8));
            TemperedMala.State state = heated(tempered, HALF_SQUARE, 1);
            Transition<TemperedMala.State> next = tempered.step(Key.of(9), HALF_SQUARE, state);
            double[] from = state.x().toDoubles();
            double[] found = next.info().acceptance().orElseThrow().toDoubles();
            double[] noise =
                    Tensors.normalLike(Key.of(9).split(2)[0], 0.7, state.x()).toDoubles();
            for (int i = 0; i < from.length; i++) { // f/8, h = .4
                double y = Math.max(-2, Math.min(0.8, from[i] + 0.05 * clip(-from[i]) + noise[i]));
                double there = y - from[i] - 0.05 * clip(-from[i]);
                double back = from[i] - y - 0.05 * clip(-y);
                double log = (from[i] * from[i] - y * y) / 2 / 8 + (there * there - back * back) / (4 * 0.4);
                assertThat(found[i]).isCloseTo(Math.min(1, Math.exp(log)), within(1e-7)); // told as a float
            }
            assertThat(tempered.temperatureAt(next.state())).hasValue(64);
        }
    }

    // ---- preconditioned Langevin: α = ¾, λ = ½, so that after one step √V' = |g|/2

    @Test
    void preconditionedStepsByHand() {
        try (Scope scope = Scope.open()) {
            Tensor x = Tensors.of(new double[] {1, -2, 0.5}, 3, 1);
            Psgld still = with(Psgld.of(0.3), "decay", 0.75, "damping", 0.5, "noise", 0);
            Psgld.State one = still.step(Key.of(1), HALF_SQUARE, still.start(HALF_SQUARE, x))
                    .state();
            // G = 1/(½ + |x|/2) = 1, ⅔, 4/3
            double[] moved = {1 - 0.3, -2 + 0.3 * 4 / 3, 0.5 - 0.3 * 2 / 3};
            assertThat(one.x().toDoubles()).containsExactly(moved, within(ROUNDING));
            assertThat(one.meanSquare().toDoubles()).containsExactly(new double[] {0.25, 1, 0.0625}, within(ROUNDING));
            // V'' = ¾V' + ¼g², g = −.7 in the first coordinate
            Psgld.State two = still.step(Key.of(1), HALF_SQUARE, one).state();
            double v = 0.75 * 0.25 + 0.25 * 0.49;
            assertThat(two.meanSquare().toDoubles()[0]).isCloseTo(v, within(ROUNDING));
            assertThat(two.x().toDoubles()[0]).isCloseTo(0.7 - 0.3 * 0.7 / (0.5 + Math.sqrt(v)), within(ROUNDING));

            double[] noise = Tensors.normalLike(Key.of(1), 1, x).toDoubles();
            double[] g = {1, 2.0 / 3, 4.0 / 3};
            double[] tied = with(Psgld.of(0.3), "decay", 0.75, "damping", 0.5)
                    .step(Key.of(1), HALF_SQUARE, still.start(HALF_SQUARE, x))
                    .state()
                    .x()
                    .toDoubles();
            double[] fixed = with(Psgld.of(0.3), "decay", 0.75, "damping", 0.5, "noise", 0.2)
                    .step(Key.of(1), HALF_SQUARE, still.start(HALF_SQUARE, x))
                    .state()
                    .x()
                    .toDoubles();
            for (int i = 0; i < 3; i++) {
                assertThat(tied[i]).isCloseTo(moved[i] + Math.sqrt(0.6 * g[i]) * noise[i], within(ROUNDING));
                assertThat(fixed[i]).isCloseTo(moved[i] + 0.2 * noise[i], within(ROUNDING));
            }
        }
    }

    /** The first step has G = 1/λ, the second that of the first's gradient; 1/G is told. */
    @Test
    void preconditionedStepsThatLag() {
        try (Scope scope = Scope.open()) {
            Tensor x = Tensors.of(new double[] {1, -2}, 2, 1);
            Psgld lagged = with(Psgld.of(0.1), "decay", 0.75, "damping", 0.5, "noise", 0, "lagged", true);
            Transition<Psgld.State> one = lagged.step(Key.of(1), HALF_SQUARE, lagged.start(HALF_SQUARE, x));
            assertThat(one.state().x().toDoubles()).containsExactly(new double[] {0.8, -1.6}, within(ROUNDING));
            assertThat(one.info().more().get(StepInfo.STEP_DIVISOR))
                    .satisfies(told -> assertThat(told.item()).isCloseTo(0.5, within(ROUNDING)));
            Transition<Psgld.State> two = lagged.step(Key.of(1), HALF_SQUARE, one.state()); // V' = ¼g²: 1/G = 1, 1.5
            double[] moved = {0.8 - 0.1 * 0.8, -1.6 + 0.1 * 1.6 / 1.5};
            assertThat(two.state().x().toDoubles()).containsExactly(moved, within(ROUNDING));
            assertThat(two.info().more().get(StepInfo.STEP_DIVISOR))
                    .satisfies(told -> assertThat(told.item()).isCloseTo(1.25, within(ROUNDING)));
        }
    }

    /** The clipped gradient is all that V sees: g = −.6, .6, −.5, √V' = |g|/2. */
    @Test
    void preconditionedStepsWithinLimits() {
        try (Scope scope = Scope.open()) {
            Tensor x = Tensors.of(new double[] {1, -2, 0.5}, 3, 1);
            Psgld limited = with(Psgld.of(0.3), "decay", 0.75, "damping", 0.5, "noise", 0, "clip", 0.6);
            double[] moved = {1 - 0.3 * 0.6 / 0.8, -2 + 0.3 * 0.6 / 0.8, 0.5 - 0.3 * 0.5 / 0.75};
            Psgld.State one = limited.step(Key.of(1), HALF_SQUARE, limited.start(HALF_SQUARE, x))
                    .state();
            assertThat(one.x().toDoubles()).containsExactly(moved, within(ROUNDING));
            assertThat(one.meanSquare().toDoubles())
                    .containsExactly(new double[] {0.09, 0.09, 0.0625}, within(ROUNDING));
            assertThat(onlyStep(with(limited, "clamp", range(-1, 0.7)), HALF_SQUARE, x)
                            .toDoubles())
                    .containsExactly(new double[] {0.7, -1, moved[2]}, within(ROUNDING));
        }
    }

    @Test
    void anotherStepKeepsTheTemperature() {
        Psgld fixed = with(Psgld.of(0.1), "decay", 0.9, "damping", 1, "noise", 0.5);
        assertThat(fixed.withStepSize(0.4)).isEqualTo(with(Psgld.of(0.4), "decay", 0.9, "damping", 1, "noise", 1));
        assertThat(with(Langevin.of(0.1), "temperature", 3)
                        .withStepSize(0.7)
                        .traits()
                        .temperature())
                .hasValue(3);
        Langevin untied = with(Langevin.of(0.1), "noise", 0.3);
        assertThat(untied.withStepSize(0.7).traits().temperature().orElseThrow())
                .isCloseTo(untied.traits().temperature().orElseThrow(), within(1e-15));
        assertThat(Hmc.of(0.1, 3).withStepSize(0.7)).isEqualTo(Hmc.of(0.7, 3));
    }

    // ---- SVGD

    /** SYSTEMS.md section 8. */
    private static final double[] PARTICLES = {0, 0, 1, 0, 0, 2};

    private static final double[] PHI = {
        -.31438239351998176, -.009824449797499,
        -.10138173775533081, -.002456112449375,
        -.001228056224687, -.6576413127531257
    };

    private static double[] relative(double[] found, double[] expected) {
        double[] errors = new double[found.length];
        for (int i = 0; i < errors.length; i++) {
            errors[i] = found[i] / expected[i] - 1;
        }
        return errors;
    }

    @Test
    void directionOfSvgd() {
        try (Scope scope = Scope.open()) {
            Tensor x = Tensors.of(PARTICLES, 3, 2);
            double squared =
                    Svgd.squaredBandwidth(x.distances(x).square(), x.size(0)).item();
            assertThat(Math.sqrt(squared)).isCloseTo(.6005612043932249, within(.6 * ROUNDING));
            double[] phi = Svgd.direction(x, HALF_SQUARE.gradient(x)).toDoubles();
            assertThat(relative(phi, PHI)).containsExactly(new double[6], within(ROUNDING));
        }
    }

    @Test
    void firstStepsOfSvgd() {
        try (Scope scope = Scope.open()) {
            Tensor x = Tensors.of(PARTICLES, 3, 2);
            double[] plain = new double[6];
            double[] adaptive = new double[6];
            for (int i = 0; i < 6; i++) {
                plain[i] = PARTICLES[i] + 0.1 * PHI[i];
                adaptive[i] = PARTICLES[i] + 0.1 * PHI[i] / (1e-6 + Math.abs(PHI[i]));
            }
            assertThat(svgd(PLAIN, x).x().toDoubles()).containsExactly(plain, within(ROUNDING));
            Svgd.State once = svgd(Svgd.of(0.1), x);
            assertThat(once.x().toDoubles()).containsExactly(adaptive, within(ROUNDING));

            // and the second: S' = .9 φ² + .1 φ'²
            double[] next =
                    Svgd.direction(once.x(), HALF_SQUARE.gradient(once.x())).toDoubles();
            Svgd.State twice = Svgd.of(0.1).step(Key.of(1), HALF_SQUARE, once).state();
            for (int i = 0; i < 6; i++) {
                double s = 0.9 * PHI[i] * PHI[i] + 0.1 * next[i] * next[i];
                assertThat(twice.x().toDoubles()[i])
                        .isCloseTo(adaptive[i] + 0.1 * next[i] / (1e-6 + Math.sqrt(s)), within(ROUNDING));
            }
        }
    }

    private static final Svgd PLAIN = with(Svgd.of(0.1), "update", Svgd.Update.PLAIN);

    private static Svgd.State svgd(Svgd svgd, Tensor x) {
        return svgd.step(Key.of(1), HALF_SQUARE, svgd.start(HALF_SQUARE, x)).state();
    }

    /** Two particles: the median of d², 0, 0, d² is d²/2, so that k = exp(−2 ln 3) = 1/9 at any distance. */
    @Test
    void twoParticlesOfSvgd() {
        try (Scope scope = Scope.open()) {
            Tensor x = Tensors.of(new double[] {0, 2}, 2, 1);
            double push = 2 * Math.log(3) / 9; // k d/b², b² = d²/(4 ln 3), d = 2
            double[] free = {0.1 / 2 * (-2.0 / 9 - push), 2 + 0.1 / 2 * (-2 + push)};
            double[] clipped = {0.1 / 2 * (-1.0 / 9 - push), 2 + 0.1 / 2 * (-1 + push)};
            assertThat(svgd(PLAIN, x).x().toDoubles()).containsExactly(free, within(ROUNDING));
            assertThat(svgd(with(PLAIN, "clip", 1), x).x().toDoubles()).containsExactly(clipped, within(ROUNDING));
        }
    }

    /** At T the particles approximate exp(f/T): those of f/T at T = 1. The limit is on ∇f, before it is divided. */
    @Test
    void temperatureOfSvgd() {
        try (Scope scope = Scope.open()) {
            Tensor x = Tensors.of(new double[] {0, 2}, 2, 1);
            double push = 2 * Math.log(3) / 9;
            Svgd half = with(PLAIN, "temperature", 0.5);
            double[] free = {0.1 / 2 * (-4.0 / 9 - push), 2 + 0.1 / 2 * (-4 + push)};
            double[] clipped = {0.1 / 2 * (-2.0 / 9 - push), 2 + 0.1 / 2 * (-2 + push)};
            assertThat(svgd(half, x).x().toDoubles()).containsExactly(free, within(ROUNDING));
            assertThat(svgd(with(half, "clip", 1), x).x().toDoubles()).containsExactly(clipped, within(ROUNDING));
            assertThat(half.traits().temperature()).hasValue(0.5);
            assertThat(half.withStepSize(0.3)).isEqualTo(with(half, "stepSize", 0.3));
            assertThat(half.words()).contains("at temperature 0.5");
        }
    }

    /** Too many for a matrix of all pairs: the same φ, with a bandwidth from every third particle. */
    @Test
    void directionOfManyParticlesOfSvgd() {
        int n = 2 * Svgd.MOST_AT_ONCE + 3;
        try (Scope scope = Scope.open()) {
            Tensor x = Tensors.normal(Key.of(3), DType.DOUBLE, Device.CPU, n, 1);
            double[] at = x.toDoubles();
            double[] phi = Svgd.direction(x, HALF_SQUARE.gradient(x)).toDoubles();
            double[] some =
                    IntStream.range(0, (n + 2) / 3).mapToDouble(i -> at[3 * i]).toArray();
            double[] squares = Arrays.stream(some)
                    .flatMap(a -> Arrays.stream(some).map(b -> (a - b) * (a - b)))
                    .sorted()
                    .toArray();
            double b2 = 0.5 * (squares[(squares.length - 1) / 2] + squares[squares.length / 2]) / 2 / Math.log(n + 1.0);
            for (int i : new int[] {0, 1022, 1023, n - 1}) { // ends of the blocks of rows among them
                double sum = 0;
                for (double other : at) {
                    double k = Math.exp(-(at[i] - other) * (at[i] - other) / 2 / b2);
                    sum += k * (-other + (at[i] - other) / b2);
                }
                assertThat(phi[i]).isCloseTo(sum / n, within(1e-10)); // distances are differences of squares
            }
        }
    }

    /** Sets do not see each other, and the last may be smaller. */
    @Test
    void particlesInSetsMoveAsEachSetAlone() {
        try (Scope scope = Scope.open()) {
            Tensor x = Tensors.normal(Key.of(4), DType.DOUBLE, Device.CPU, 8, 2);
            Svgd svgd = Svgd.of(0.1);
            double[] sets = ChainRun.run(Key.of(1), ParticleSets.of(svgd, 3), HALF_SQUARE, x, 5)
                    .x()
                    .toDoubles();
            double[] alone = Stream.of(x.narrow(0, 0, 3), x.narrow(0, 3, 3), x.narrow(0, 6, 2))
                    .flatMapToDouble(set -> Arrays.stream(ChainRun.run(Key.of(1), svgd, HALF_SQUARE, set, 5)
                            .x()
                            .toDoubles()))
                    .toArray();
            assertThat(sets).containsExactly(alone);
            assertThat(ParticleSets.of(Mala.of(0.1), 3)).isEqualTo(Mala.of(0.1));
        }
    }

    @Test
    void particlesOfSvgdInOnePointOnlyClimb() {
        try (Scope scope = Scope.open()) {
            Tensor x = Tensors.of(new double[] {1, 1, 1}, 3, 1);
            assertThat(svgd(PLAIN, x).x().toDoubles()).containsExactly(new double[] {0.9, 0.9, 0.9}, within(ROUNDING));
        }
    }

    // ---- annealing

    @Test
    void decaysByHand() {
        Decay polynomial = new Decay.Polynomial(10, 0.5);
        assertThat(new double[] {polynomial.factor(0), polynomial.factor(30), polynomial.factor(990)})
                .containsExactly(new double[] {1, 0.5, 0.1}, within(1e-15));
        Decay cosine = new Decay.Cosine(4, 0.2);
        assertThat(new double[] {cosine.factor(0), cosine.factor(2), cosine.factor(4), cosine.factor(9)})
                .containsExactly(new double[] {1, 0.6, 0.2, 0.2}, within(1e-15));
    }

    @Test
    void annealedStepsShrink() {
        try (Scope scope = Scope.open()) {
            // h/(1 + k): 1 − .6, 1 − .3, 1 − .2
            Langevin annealed = with(Langevin.of(0.6), "noise", 0, "anneal", new Decay.Polynomial(1, 1));
            Tensor x = Tensors.of(new double[] {1, -2}, 2, 1);
            ChainRun walk = ChainRun.run(Key.of(1), annealed, HALF_SQUARE, x, 3);
            assertThat(walk.x().toDoubles())
                    .containsExactly(new double[] {0.4 * 0.7 * 0.8, -2 * 0.4 * 0.7 * 0.8}, within(ROUNDING));
        }
    }

    // ---- replica exchange

    /** Stays where it is, so that only swaps move a replica. */
    private record Still() implements Posing<Position> {
        @Override
        public Position start(LogDensity target, Tensor x) {
            return new Position(x);
        }

        @Override
        public Transition<Position> step(Key key, LogDensity target, Position state) {
            return new Transition<>(new Position(state.x().copy()), StepInfo.UNADJUSTED);
        }
    }

    private static Transition<ReplicaExchange.State> swap(double... replicas) {
        Tensor all = Tensors.of(replicas, replicas.length, 1);
        return new ReplicaExchange(new Still(), replicas.length, Math.pow(2, replicas.length - 1.0), 1)
                .step(Key.of(1), HALF_SQUARE, new ReplicaExchange.State(all.narrow(0, 0, 1), all));
    }

    private static double[] swaps(Transition<ReplicaExchange.State> step) {
        return Objects.requireNonNull(step.info().more().get(StepInfo.SWAPS)).toDoubles();
    }

    @Test
    void swapsByHand() {
        try (Scope scope = Scope.open()) {
            // f = −½, −2; (1 − ½)(−2 + ½) = −¾
            assertThat(swaps(swap(1, 2))).containsExactly(new double[] {Math.exp(-0.75)}, within(ROUNDING));
            // the hot one is better: always
            Transition<ReplicaExchange.State> sure = swap(2, 1);
            assertThat(swaps(sure)).containsExactly(1);
            assertThat(sure.state().replicas().toDoubles()).containsExactly(new double[] {1, 2}, within(ROUNDING));
            assertThat(sure.state().x().toDoubles()).containsExactly(new double[] {1}, within(ROUNDING));
            // 3, 2, 1 → 2, 3, 1 → 2, 1, 3: the second pair finds what the first left
            Transition<ReplicaExchange.State> twice = swap(3, 2, 1);
            assertThat(swaps(twice)).containsExactly(1, 1);
            assertThat(twice.state().replicas().toDoubles()).containsExactly(new double[] {2, 1, 3}, within(ROUNDING));
        }
    }

    /** clamp(x + h·clip(∇f(x)) + √(2hT)ξ) on the rung of temperature T: limits are those of x, not of u = x/√T. */
    @Test
    void limitsOnEveryRungAreThoseOfX() {
        int chains = 40;
        ReplicaExchange exchange =
                new ReplicaExchange(with(Langevin.of(0.3), "clip", 0.6, "clamp", range(-1.5, 2)), 3, 9, 1);
        try (Scope scope = Scope.open()) {
            Tensor x = Tensors.uniform(Key.of(1), -1.5, 2, DType.DOUBLE, Device.CPU, chains, 1);
            ReplicaExchange.State start = exchange.start(HALF_SQUARE, x);
            Key key = Key.of(2);
            double[] found =
                    exchange.step(key, HALF_SQUARE, start).state().replicas().toDoubles();
            double[] noise = Tensors.normalLike(key.split(2)[0].child(0), 1, start.replicas())
                    .toDoubles();
            for (int chain = 0; chain < chains; chain++) {
                double[] ladder = new double[3];
                double[] expected = new double[3];
                for (int rung = 0; rung < 3; rung++) {
                    int row = rung * chains + chain;
                    double at = x.toDoubles()[chain];
                    double moved = at + 0.3 * clip(-at) + Math.sqrt(0.6 * Math.pow(3, rung)) * noise[row];
                    expected[rung] = Math.max(-1.5, Math.min(2, moved));
                    ladder[rung] = found[row];
                }
                Arrays.sort(ladder); // exchanges only change places
                Arrays.sort(expected);
                assertThat(ladder).containsExactly(expected, within(ROUNDING));
            }
        }
    }

    /** With a step size a row, h·s², by a density that is rescaled: the same limits in x. */
    @Test
    void limitsOfARescaledDensityAreThoseOfX() {
        double[] x = {1, -2, 0.5};
        double[] s = {0.5, 2, 1};
        try (Scope scope = Scope.open()) {
            Tensor scale = Tensors.of(s, 3, 1);
            Tensor u = Tensors.of(x, 3, 1).over(scale);
            LogDensity rescaled = HALF_SQUARE.rescaled(scale);
            double[] clipped = new double[3];
            double[] clamped = new double[3];
            for (int i = 0; i < 3; i++) {
                clipped[i] = x[i] + 0.1 * s[i] * s[i] * clip(-x[i]);
                clamped[i] = Math.max(-1.5, Math.min(0.47, clipped[i]));
            }
            Langevin langevin = with(Langevin.of(0.1), "noise", 0, "clip", 0.6);
            GradientDescent descent = with(GradientDescent.of(0.1), "clip", 0.6);
            for (Kernel<?> kernel : List.of(langevin, with(langevin, "noiseFirst", true), descent)) {
                assertThat(onlyStep(kernel, rescaled, u).times(scale).toDoubles())
                        .containsExactly(clipped, within(ROUNDING));
            }
            for (Kernel<?> kernel :
                    List.of(with(langevin, "clamp", range(-1.5, 0.47)), with(descent, "clamp", range(-1.5, 0.47)))) {
                assertThat(onlyStep(kernel, rescaled, u).times(scale).toDoubles())
                        .containsExactly(clamped, within(ROUNDING));
            }
        }
    }

    /** x + h∇f(x) on every rung, whatever its temperature. */
    @Test
    void everyRungTakesTheSameGradientStep() {
        try (Scope scope = Scope.open()) {
            ReplicaExchange exchange = new ReplicaExchange(Posing.as(GradientDescent.of(0.1)), 3, 9, 2);
            Tensor x = Tensors.of(new double[] {1, -2}, 2, 1);
            double[] replicas = exchange.step(Key.of(1), HALF_SQUARE, exchange.start(HALF_SQUARE, x))
                    .state()
                    .replicas()
                    .toDoubles();
            assertThat(replicas)
                    .containsExactly(new double[] {0.81, -1.62, 0.81, -1.62, 0.81, -1.62}, within(ROUNDING));
            assertThat(exchange.temperatures()).containsExactly(1.0, 3.0, 9.0);
        }
    }
}

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
import java.util.Objects;
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
            assertThat(logAcceptance(mala, x, y))
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

    @Test
    void aChainWhereTheDensityIsZeroIsLetGo() {
        try (Scope scope = Scope.open()) {
            LogDensity flat = x -> x.sumPerSample().times(0);
            Tensor x = Tensors.of(new double[] {1, 2}, 1, 2);
            Tensor none = Tensors.of(new double[] {Double.NEGATIVE_INFINITY});
            Evaluated outside = new Evaluated(x, none, Tensors.zerosLike(x));
            for (Kernel<Evaluated> kernel : List.of(new Mala(0.1, 1), Hmc.of(0.1, 2))) {
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
        assertThat(logAcceptance(new Mala(0.1, 0.5, 2), 1, 0.7)).isCloseTo(-0.0663, within(ROUNDING));
        assertThat(new Mala(0.1, 0.5, 2).withStepSize(0.4)).isEqualTo(new Mala(0.4, 1, 2));
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
            assertThat(heated(new TemperedMala(0.1, 1, 10), flat, 0).temperature())
                    .isEqualTo(1);
            assertThat(heated(new TemperedMala(0.1, 1, 10), flat, 3).temperature())
                    .isEqualTo(1000);
            assertThat(heated(new TemperedMala(0.1, 0.999, 10), flat, 3).temperature())
                    .isEqualTo(1);
            assertThat(heated(new TemperedMala(0.1, 0.001, 10), HALF_SQUARE, 3).temperature())
                    .isEqualTo(1);
        }
    }

    @Test
    void temperedMalaIsMalaAtItsTemperature() {
        try (Scope scope = Scope.open()) {
            TemperedMala tempered = new TemperedMala(0.4, 1, 8);
            TemperedMala.State state = heated(tempered, HALF_SQUARE, 1);
            double[] expected = new Mala(0.05, 8)
                    .step(Key.of(9), HALF_SQUARE, state.at())
                    .state()
                    .x()
                    .toDoubles();
            assertThat(tempered.step(Key.of(9), HALF_SQUARE, state).state().x().toDoubles())
                    .isEqualTo(expected);
        }
    }

    // ---- preconditioned Langevin: α = ¾, λ = ½, so that after one step √V' = |g|/2

    @Test
    void preconditionedStepsByHand() {
        try (Scope scope = Scope.open()) {
            Tensor x = Tensors.of(new double[] {1, -2, 0.5}, 3, 1);
            Psgld still = new Psgld(0.3, 0.75, 0.5, OptionalDouble.of(0));
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
            double[] tied = new Psgld(0.3, 0.75, 0.5, OptionalDouble.empty())
                    .step(Key.of(1), HALF_SQUARE, still.start(HALF_SQUARE, x))
                    .state()
                    .x()
                    .toDoubles();
            double[] fixed = new Psgld(0.3, 0.75, 0.5, OptionalDouble.of(0.2))
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

    @Test
    void anotherStepKeepsTheTemperature() {
        Psgld fixed = new Psgld(0.1, 0.9, 1, OptionalDouble.of(0.5));
        assertThat(fixed.withStepSize(0.4)).isEqualTo(new Psgld(0.4, 0.9, 1, OptionalDouble.of(1)));
        assertThat(Langevin.at(0.1, 3).withStepSize(0.7).temperature()).isCloseTo(3, within(1e-14));
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
            double squared = Svgd.squaredBandwidth(x.distances(x).square());
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
            assertThat(svgd(Svgd.Update.PLAIN, Limits.NONE, x).x().toDoubles())
                    .containsExactly(plain, within(ROUNDING));
            Svgd.State once = svgd(Svgd.Update.ADAGRAD, Limits.NONE, x);
            assertThat(once.x().toDoubles()).containsExactly(adaptive, within(ROUNDING));

            // and the second: S' = .9 φ² + .1 φ'²
            double[] next =
                    Svgd.direction(once.x(), HALF_SQUARE.gradient(once.x())).toDoubles();
            Svgd.State twice = new Svgd(0.1, Svgd.Update.ADAGRAD, Limits.NONE)
                    .step(Key.of(1), HALF_SQUARE, once)
                    .state();
            for (int i = 0; i < 6; i++) {
                double s = 0.9 * PHI[i] * PHI[i] + 0.1 * next[i] * next[i];
                assertThat(twice.x().toDoubles()[i])
                        .isCloseTo(adaptive[i] + 0.1 * next[i] / (1e-6 + Math.sqrt(s)), within(ROUNDING));
            }
        }
    }

    private static Svgd.State svgd(Svgd.Update update, Limits limits, Tensor x) {
        Svgd svgd = new Svgd(0.1, update, limits);
        return svgd.step(Key.of(1), HALF_SQUARE, svgd.start(HALF_SQUARE, x)).state();
    }

    /** Two particles: the median of d², 0, 0, d² is d²/2, so that k = exp(−2 ln 3) = 1/9 at any distance. */
    @Test
    void twoParticlesOfSvgd() {
        try (Scope scope = Scope.open()) {
            Tensor x = Tensors.of(new double[] {0, 2}, 2, 1);
            Limits clip = new Limits(OptionalDouble.of(1), Optional.empty());
            double push = 2 * Math.log(3) / 9; // k d/b², b² = d²/(4 ln 3), d = 2
            double[] free = {0.1 / 2 * (-2.0 / 9 - push), 2 + 0.1 / 2 * (-2 + push)};
            double[] clipped = {0.1 / 2 * (-1.0 / 9 - push), 2 + 0.1 / 2 * (-1 + push)};
            assertThat(svgd(Svgd.Update.PLAIN, Limits.NONE, x).x().toDoubles()).containsExactly(free, within(ROUNDING));
            assertThat(svgd(Svgd.Update.PLAIN, clip, x).x().toDoubles()).containsExactly(clipped, within(ROUNDING));
        }
    }

    @Test
    void particlesOfSvgdInOnePointOnlyClimb() {
        try (Scope scope = Scope.open()) {
            Tensor x = Tensors.of(new double[] {1, 1, 1}, 3, 1);
            assertThat(svgd(Svgd.Update.PLAIN, Limits.NONE, x).x().toDoubles())
                    .containsExactly(new double[] {0.9, 0.9, 0.9}, within(ROUNDING));
        }
    }

    // ---- annealing

    @Test
    void decaysByHand() {
        Decay polynomial = Decay.polynomial(10, 0.5);
        assertThat(new double[] {polynomial.factor(0), polynomial.factor(30), polynomial.factor(990)})
                .containsExactly(new double[] {1, 0.5, 0.1}, within(1e-15));
        Decay cosine = Decay.cosine(4, 0.2);
        assertThat(new double[] {cosine.factor(0), cosine.factor(2), cosine.factor(4), cosine.factor(9)})
                .containsExactly(new double[] {1, 0.6, 0.2, 0.2}, within(1e-15));
    }

    @Test
    void annealedStepsShrink() {
        try (Scope scope = Scope.open()) {
            // h/(1 + k): 1 − .6, 1 − .3, 1 − .2
            Annealed<Position> annealed =
                    new Annealed<>(new Langevin(0.6, 0, false, Limits.NONE), Decay.polynomial(1, 1));
            Tensor x = Tensors.of(new double[] {1, -2}, 2, 1);
            Walk walk = Walk.run(Key.of(1), annealed, HALF_SQUARE, x, 3);
            assertThat(walk.x().toDoubles())
                    .containsExactly(new double[] {0.4 * 0.7 * 0.8, -2 * 0.4 * 0.7 * 0.8}, within(ROUNDING));
        }
    }

    // ---- replica exchange

    /** Stays where it is, so that only swaps move a replica. */
    private record Still() implements Kernel<Position> {
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
        List<Double> ladder = List.of(1.0, 2.0, 4.0).subList(0, replicas.length);
        Tensor all = Tensors.of(replicas, replicas.length, 1);
        return new ReplicaExchange<>(new Still(), ladder, 1)
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

    /** x + h∇f(x) on every rung, whatever its temperature. */
    @Test
    void everyRungTakesTheSameGradientStep() {
        try (Scope scope = Scope.open()) {
            ReplicaExchange<Position> exchange = new ReplicaExchange<>(
                    new Langevin(0.1, 0, false, Limits.NONE), ReplicaExchange.geometricLadder(3, 9), 2);
            Tensor x = Tensors.of(new double[] {1, -2}, 2, 1);
            double[] replicas = exchange.step(Key.of(1), HALF_SQUARE, exchange.start(HALF_SQUARE, x))
                    .state()
                    .replicas()
                    .toDoubles();
            assertThat(replicas)
                    .containsExactly(new double[] {0.81, -1.62, 0.81, -1.62, 0.81, -1.62}, within(ROUNDING));
            assertThat(ReplicaExchange.geometricLadder(3, 9)).containsExactly(1.0, 3.0, 9.0);
        }
    }
}

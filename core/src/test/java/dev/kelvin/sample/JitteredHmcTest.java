package dev.kelvin.sample;

import static dev.kelvin.sample.Changed.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.energy.LogDensity;
import dev.kelvin.energy.analytic.Banana;
import dev.kelvin.part.SettingException;
import dev.kelvin.sample.chain.ChainRun;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.Arrays;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JitteredHmcTest {
    private static final LogDensity BANANA = new Banana(1.5, 0.4);
    private static final List<Double> LOWER = List.of(1.3, -0.4, 0.7);
    private static final Offset<Double> ROUNDING = within(1e-10);

    private static Tensor start(int chains) {
        return Tensors.normal(Key.of(1), DType.DOUBLE, Device.CPU, chains, 2);
    }

    /** x = Lu: a metric is a change of coordinates, to the last step. */
    @Test
    void aMetricIsAChangeOfCoordinates() {
        try (Scope scope = Scope.open()) {
            Tensor u = start(6);
            Tensor upper = Tensors.of(new double[] {1.3, -0.4, 0, 0.7}, 2, 2);
            LogDensity inU = v -> BANANA.at(v.matmul(upper));
            JitteredHmc plain = JitteredHmc.of(0.3).withPathLength(1.5);
            ChainRun there = ChainRun.run(Key.of(2), with(plain, "scales", LOWER), BANANA, u.matmul(upper), 8);
            ChainRun here = ChainRun.run(Key.of(2), plain, inU, u, 8);
            assertThat(there.x().toDoubles())
                    .containsExactly(here.x().matmul(upper).toDoubles(), ROUNDING);
            assertThat(there.accepted()).containsExactly(here.accepted(), within(1e-6)); // told in float

            Tensor scale = Tensors.of(new double[] {2, 0.5}, 1, 2);
            ChainRun wide =
                    ChainRun.run(Key.of(2), with(plain, "scales", List.of(2.0, 0.5)), BANANA, u.times(scale), 8);
            ChainRun same = ChainRun.run(Key.of(2), plain, BANANA.rescaled(scale), u, 8);
            assertThat(wide.x().toDoubles())
                    .containsExactly(same.x().times(scale).toDoubles(), ROUNDING);
        }
    }

    /** One leap of ε is MALA's step of h = ε²/2, with the same noise and the same acceptance. */
    @Test
    void oneLeapIsMala() {
        try (Scope scope = Scope.open()) {
            Tensor x = start(50);
            double epsilon = 0.6;
            JitteredHmc kernel = JitteredHmc.of(epsilon);
            Evaluated from = kernel.start(BANANA, x);
            JitteredHmc.Path path = kernel.path(Key.of(3), BANANA, from);
            Mala mala = Mala.of(epsilon * epsilon / 2);
            Tensor noisy = path.end().x().minus(x).minus(from.gradient().times(epsilon * epsilon / 2));
            double[] log = mala.logAcceptance(from, path.end(), noisy);
            assertThat(path.log()).containsExactly(log, ROUNDING);
            assertThat(path.leaps()).isEqualTo(1);
            assertThat(path.stepSize()).isEqualTo(epsilon);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7})
    void leapsCanBeTakenBack(int leaps) {
        try (Scope scope = Scope.open()) {
            JitteredHmc kernel = with(JitteredHmc.of(0.1), "scales", LOWER);
            Tensor x = start(5);
            Leapfrog.Phase first = new Leapfrog.Phase(
                    kernel.start(BANANA, x), Tensors.normal(Key.of(4), DType.DOUBLE, Device.CPU, 5, 2));
            Leapfrog flow = new Leapfrog(BANANA, Metric.of(LOWER, x));
            Leapfrog.Phase back = flow.run(reversed(flow.run(first, leaps, 0.1)), leaps, 0.1);
            assertThat(back.at().x().toDoubles()).containsExactly(x.toDoubles(), ROUNDING);
            assertThat(reversed(back).velocity().toDoubles())
                    .containsExactly(first.velocity().toDoubles(), ROUNDING);
        }
    }

    /** The standard error of 1000 uniform lengths' mean is at most 1.8 % of it; 5 of them. */
    @ParameterizedTest
    @ValueSource(doubles = {0, 0.09, 0.25, 1.03})
    void pathsAreAsLongAsTold(double length) {
        try (Scope scope = Scope.open()) {
            JitteredHmc kernel = JitteredHmc.of(0.1).withPathLength(length);
            Evaluated from = kernel.start(BANANA, start(1));
            double sum = 0;
            int count = 1000;
            for (int i = 0; i < count; i++) {
                try (Scope each = Scope.open()) {
                    sum += kernel.path(Key.of(5).child(i), BANANA, from).leaps();
                }
            }
            assertThat(sum / count).isCloseTo(kernel.meanLeaps(), within(0.09 * kernel.meanLeaps()));
        }
    }

    /** Of 1000 paths 1/8 and 1/64 ± 5 standard errors; a small step is a quarter of the last, and has as many leaps. */
    @Test
    void someStepsAreSmall() {
        try (Scope scope = Scope.open()) {
            JitteredHmc plain = JitteredHmc.of(0.1).withPathLength(0.5);
            JitteredHmc kernel = plain.withSmallSteps(0.125);
            Evaluated from = kernel.start(BANANA, start(1));
            int[] times = new int[5];
            for (int i = 0; i < 1000; i++) {
                try (Scope each = Scope.open()) {
                    JitteredHmc.Path path = kernel.path(Key.of(5).child(i), BANANA, from);
                    times[(int) Math.round(Math.log(0.1 / path.stepSize()) / Math.log(4))]++;
                    assertThat(path.leaps())
                            .isEqualTo(
                                    plain.path(Key.of(5).child(i), BANANA, from).leaps());
                }
            }
            assertThat(times[1] + times[2] + times[3] + times[4]).isBetween(73, 177);
            assertThat(times[2] + times[3] + times[4]).isBetween(1, 35);
        }
        assertThatThrownBy(() -> JitteredHmc.of(1).withSmallSteps(0.6)).hasMessageContaining("smallSteps");
    }

    /** exp(−x⁴) is so steep at 5 that leaps of 0.4 all fail there; of 0.1 they do not. Without them, the twin, nobody leaves. */
    @Test
    void smallStepsLeaveSteepPlaces() {
        try (Scope scope = Scope.open()) {
            LogDensity steep = x -> x.square().square().sum(1L).negate();
            Tensor x = Tensors.full(5, DType.DOUBLE, Device.CPU, 20, 1);
            JitteredHmc kernel = JitteredHmc.of(0.4);
            ChainRun left = ChainRun.run(Key.of(7), kernel.withSmallSteps(0.125), steep, x, 200);
            assertThat(Arrays.stream(left.x().toDoubles())).allMatch(value -> Math.abs(value) < 2);
            ChainRun stayed = ChainRun.run(Key.of(7), kernel, steep, x, 200);
            assertThat(stayed.x().toDoubles()).containsOnly(5);
        }
    }

    @Test
    void countsDivergences() {
        try (Scope scope = Scope.open()) {
            LogDensity steep = x -> x.square().square().sum(1L).times(-1);
            Tensor x = Tensors.of(new double[] {0.1, 30, 0.1, 0.1}, 4, 1);
            ChainRun walk = ChainRun.run(Key.of(6), JitteredHmc.of(0.1).withPathLength(1), steep, x, 1);
            assertThat(walk.more().get(StepInfo.DIVERGENCES)).containsExactly(0.25);
            assertThat(walk.more().getOrDefault(StepInfo.ENERGY_ERROR, new double[1])[0])
                    .isBetween(250.0, 251.0);
        }
    }

    @Test
    void refusesAMetricThatDoesNotFit() {
        assertThatThrownBy(() ->
                        with(JitteredHmc.of(1), "scales", List.of(1.0, 1.0)).requireFit(3))
                .isInstanceOf(SettingException.class)
                .hasMessage(
                        "scales must have one number for each of the 3 coordinates, or the 6 of a lower triangular matrix"
                                + " by rows; found 2");
        assertThatThrownBy(() -> with(JitteredHmc.of(1), "scales", List.of(1.0, 5.0, 0.0))
                        .requireFit(2))
                .hasMessageContaining("must be above 0");
        with(JitteredHmc.of(1), "scales", List.of(1.0, -5.0, 1.0)).requireFit(2);
    }

    @Test
    void saysWhatItIs() {
        assertThat(JitteredHmc.of(0.5).words()).isEqualTo("MALA and step size 0.5 at temperature 1");
        assertThat(with(JitteredHmc.of(0.5).withPathLength(2), "scales", List.of(2.0))
                        .words())
                .isEqualTo(
                        "HMC with paths of 2.50 leapfrog steps on average, preconditioned, and step size 0.5 at temperature 1");
    }

    private static Leapfrog.Phase reversed(Leapfrog.Phase phase) {
        return new Leapfrog.Phase(phase.at(), phase.velocity().negate());
    }
}

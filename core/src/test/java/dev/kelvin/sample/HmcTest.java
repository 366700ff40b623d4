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
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HmcTest {
    private static final LogDensity HALF_SQUARE = x -> x.square().sumPerSample().times(-0.5);
    private static final Banana BANANA = new Banana(1.5, 0.4);
    private static final List<Double> MASS = List.of(0.5, 3.0);

    private static Leapfrog flow(Hmc hmc, LogDensity target, Tensor x) {
        return new Leapfrog(target, Metric.of(hmc.scales(), x));
    }

    @Test
    void oneLeapByHand() {
        // p = .5 − .1·1 = .4, x = 1 + .2·.4 = 1.08, p = .4 − .1·1.08 = .292
        try (Scope scope = Scope.open()) {
            Hmc hmc = new Hmc(0.2, 1, 0, List.of(), 1);
            Evaluated at = hmc.start(HALF_SQUARE, Tensors.of(new double[] {1}, 1, 1));
            Leapfrog.Phase start = new Leapfrog.Phase(at, Tensors.of(new double[] {0.5}, 1, 1));
            Leapfrog.Phase end = flow(hmc, HALF_SQUARE, at.x()).run(start, 1, 0.2);
            assertThat(end.at().x().item()).isCloseTo(1.08, within(1e-15));
            assertThat(end.velocity().item()).isCloseTo(0.292, within(1e-15));
            assertThat(start.energy()[0]).isCloseTo(0.625, within(1e-15));
            assertThat(end.energy()[0]).isCloseTo(0.5832 + 0.042632, within(1e-15));
        }
    }

    /** The same key gives both the same noise and the same uniform numbers. */
    @ParameterizedTest
    @ValueSource(doubles = {1, 2.5})
    void oneLeapIsMala(double temperature) {
        try (Scope scope = Scope.open()) {
            Tensor x = BANANA.draw(Key.of(1), 200, DType.DOUBLE);
            ChainRun hmc = ChainRun.run(Key.of(2), new Hmc(0.8, 1, 0, List.of(), temperature), BANANA, x, 5);
            ChainRun mala = ChainRun.run(Key.of(2), with(Mala.of(0.32), "temperature", temperature), BANANA, x, 5);
            assertThat(hmc.x().toDoubles()).containsExactly(mala.x().toDoubles(), within(1e-10));
            assertThat(hmc.acceptance().orElseThrow())
                    .isCloseTo(mala.acceptance().orElseThrow(), within(1e-10))
                    .isLessThan(0.95);
        }
    }

    private static double energyError(Hmc hmc) {
        try (Scope scope = Scope.open()) {
            Tensor x = BANANA.draw(Key.of(3), 2000, DType.DOUBLE);
            double[] error = ChainRun.run(Key.of(4), hmc, BANANA, x, 1)
                    .more()
                    .getOrDefault(StepInfo.ENERGY_ERROR, new double[0]);
            assertThat(error).hasSize(1);
            return error[0];
        }
    }

    /** Leapfrog is of second order: the error of a trajectory is proportional to ε². */
    @Test
    void theEnergyErrorFallsFourfoldWhenTheStepHalves() {
        double coarse = energyError(new Hmc(0.1, 12, 0, List.of(), 1));
        double fine = energyError(new Hmc(0.05, 24, 0, List.of(), 1));
        assertThat(coarse / fine).isBetween(3.5, 4.5);
        double heavy = energyError(new Hmc(0.1, 12, 0, MASS, 1));
        double finer = energyError(new Hmc(0.05, 24, 0, MASS, 1));
        assertThat(heavy / finer).isBetween(3.5, 4.5);
    }

    @Test
    void thereAndBackAgain() {
        try (Scope scope = Scope.open()) {
            for (List<Double> mass : List.of(List.<Double>of(), MASS)) {
                Hmc hmc = new Hmc(0.1, 20, 0, mass, 1);
                Tensor x = BANANA.draw(Key.of(5), 100, DType.DOUBLE);
                Tensor p = Tensors.normal(Key.of(6), DType.DOUBLE, Device.CPU, 100, 2);
                Leapfrog flow = flow(hmc, BANANA, x);
                Leapfrog.Phase there = flow.run(new Leapfrog.Phase(hmc.start(BANANA, x), p), 20, 0.1);
                Leapfrog.Phase back = reversed(flow.run(reversed(there), 20, 0.1));
                assertThat(there.at().x().minus(x).abs().max().item()).isGreaterThan(0.5);
                assertThat(back.at().x().minus(x).abs().max().item()).isLessThan(1e-10);
                assertThat(back.velocity().minus(p).abs().max().item()).isLessThan(1e-10);
            }
        }
    }

    /** Mass M in x is mass 1 in u = √M x. */
    @Test
    void massIsAScaleOfTheCoordinates() {
        try (Scope scope = Scope.open()) {
            Tensor x = BANANA.draw(Key.of(7), 200, DType.DOUBLE);
            Tensor scale = Tensors.of(new double[] {1 / Math.sqrt(0.5), 1 / Math.sqrt(3)}, 1, 2);
            ChainRun heavy = ChainRun.run(Key.of(8), new Hmc(0.4, 5, 0.2, MASS, 2), BANANA, x, 3);
            ChainRun scaled = ChainRun.run(
                    Key.of(8), new Hmc(0.4, 5, 0.2, List.of(), 2), BANANA.rescaled(scale), x.over(scale), 3);
            assertThat(heavy.x().toDoubles())
                    .containsExactly(scaled.x().times(scale).toDoubles(), within(1e-10));
            assertThat(heavy.acceptance().orElseThrow())
                    .isCloseTo(scaled.acceptance().orElseThrow(), within(1e-10))
                    .isLessThan(0.99);
        }
    }

    @Test
    void massesOfAnImage() {
        try (Scope scope = Scope.open()) {
            List<Double> mass = List.of(1.0, 2.0, 3.0, 4.0);
            Tensor x = Tensors.normal(Key.of(9), 5, 1, 2, 2);
            Hmc hmc = new Hmc(0.2, 3, 0, mass, 1);
            ChainRun walk = ChainRun.run(Key.of(10), hmc, KernelCases.WAVY, x, 3);
            ChainRun flat = ChainRun.run(Key.of(10), hmc, KernelCases.WAVY, x.flattenSamples(), 3);
            assertThat(walk.x().shape()).containsExactly(5, 1, 2, 2);
            assertThat(walk.x().dtype()).isEqualTo(DType.FLOAT);
            assertThat(walk.x().toDoubles()).isEqualTo(flat.x().toDoubles());
        }
    }

    @Test
    void massesOfAnotherNumberAreRefused() {
        try (Scope scope = Scope.open()) {
            Tensor x = BANANA.draw(Key.of(11), 3);
            Hmc hmc = new Hmc(0.1, 2, 0, List.of(1.0, 2.0, 3.0), 1);
            assertThatThrownBy(() -> ChainRun.run(Key.of(1), hmc, BANANA, x, 1))
                    .isInstanceOf(SettingException.class)
                    .hasMessage("mass must have one number for each of the 2 coordinates, found 3");
        }
    }

    private static Leapfrog.Phase reversed(Leapfrog.Phase phase) {
        return new Leapfrog.Phase(phase.at(), phase.velocity().negate());
    }
}

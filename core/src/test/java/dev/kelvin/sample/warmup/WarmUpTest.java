package dev.kelvin.sample.warmup;

import static dev.kelvin.sample.Changed.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.energy.Gaussian;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.sample.ChainState;
import dev.kelvin.sample.Hmc;
import dev.kelvin.sample.Langevin;
import dev.kelvin.sample.Mala;
import dev.kelvin.sample.Psgld;
import dev.kelvin.sample.StepSized;
import dev.kelvin.sample.chain.ChainRun;
import dev.kelvin.tensor.Backend;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class WarmUpTest {
    private static final int THREADS = Backend.threads();
    private static final Gaussian UNIT = Gaussian.isotropic(new double[10], 1);

    @BeforeAll
    static void oneThread() {
        Backend.threads(1);
    }

    @AfterAll
    static void threadsAsBefore() {
        Backend.threads(THREADS);
    }

    // ---- dual averaging

    /** a* = .8, μ = log(10·.1) = 0; a = .5 and then 1. */
    @Test
    void firstUpdatesByHand() {
        DualAveraging adaptation = new DualAveraging(0.8, 0.1);
        assertThat(adaptation.stepSize(0)).isCloseTo(0.1, within(1e-15));
        assertThat(adaptation.settled(0)).isCloseTo(0.1, within(1e-15));
        adaptation.update(0, 0.5);
        // H = .3/11, log h = −20·H = −6/11, and so is its first average
        assertThat(Math.log(adaptation.stepSize(0))).isCloseTo(-6.0 / 11, within(1e-14));
        assertThat(Math.log(adaptation.settled(0))).isCloseTo(-6.0 / 11, within(1e-14));
        adaptation.update(0, 1);
        // H' = (11/12)(3/110) − .2/12 = 1/120, log h' = −20√2/120
        double log = -Math.sqrt(2) / 6;
        double weight = Math.pow(2, -0.75);
        assertThat(Math.log(adaptation.stepSize(0))).isCloseTo(log, within(1e-14));
        assertThat(Math.log(adaptation.settled(0))).isCloseTo(weight * log - (1 - weight) * 6 / 11, within(1e-14));
    }

    @Test
    void anAcceptanceThatIsLostCountsAsNone() {
        DualAveraging lost = new DualAveraging(0.8, 0.1);
        DualAveraging none = new DualAveraging(0.8, 0.1);
        lost.update(0, Double.NaN);
        none.update(0, 0);
        assertThat(lost.stepSize(0)).isEqualTo(none.stepSize(0)).isLessThan(0.3);
    }

    @Test
    void groupsShareNothing() {
        DualAveraging both = new DualAveraging(0.6, 0.1, 5);
        DualAveraging first = new DualAveraging(0.6, 0.1);
        DualAveraging second = new DualAveraging(0.6, 5);
        for (int i = 0; i < 20; i++) {
            both.update(0, i % 2);
            first.update(0, i % 2);
            if (i < 7) {
                both.update(1, 0.1 * i);
                second.update(0, 0.1 * i);
            }
        }
        assertThat(both.stepSize(0)).isEqualTo(first.stepSize(0));
        assertThat(both.stepSize(1)).isEqualTo(second.stepSize(0));
        assertThat(both.settled()).containsExactly(first.settled(0), second.settled(0));
    }

    /** The acceptance 1/(1 + (h/c)²) is a* at h = c√(1/a* − 1), for each group with its own c. */
    @Test
    void findsTheStepOfEachGroup() {
        double[] scale = {0.01, 3};
        DualAveraging adaptation = new DualAveraging(0.8, 1, 1);
        for (int i = 0; i < 2000; i++) {
            for (int group = 0; group < 2; group++) {
                double ratio = adaptation.stepSize(group) / scale[group];
                adaptation.update(group, 1 / (1 + ratio * ratio));
            }
        }
        assertThat(adaptation.settled(0)).isCloseTo(0.005, within(0.0001));
        assertThat(adaptation.settled(1)).isCloseTo(1.5, within(0.03));
    }

    /** Many widths: on one alone a trajectory closes on itself, and the acceptance is no monotone function of the step. */
    private static final Gaussian WIDTHS = widths(10);

    private static Gaussian widths(int dimension) {
        double[][] covariance = new double[dimension][dimension];
        for (int i = 0; i < dimension; i++) {
            covariance[i][i] = i + 1.0;
        }
        return new Gaussian(new double[dimension], covariance);
    }

    // ---- the warm-up

    static Stream<Arguments> kernels() {
        // the acceptances at which each is used: HMC's falls off a cliff below 0.7, where its trajectories get unstable
        return Stream.of(
                Arguments.of(Mala.of(1e-6), 0.574),
                Arguments.of(Mala.of(1e4), 0.574),
                Arguments.of(Mala.of(1e-6), 0.8),
                Arguments.of(Mala.of(1e4), 0.8),
                Arguments.of(Hmc.of(1e-5, 5), 0.8),
                Arguments.of(Hmc.of(1e3, 5), 0.8),
                Arguments.of(Hmc.of(1e-5, 5), 0.9),
                Arguments.of(Hmc.of(1e3, 5), 0.9));
    }

    @ParameterizedTest
    @MethodSource("kernels")
    <S extends ChainState> void reachesTheAcceptance(StepSized<S> kernel, double acceptance) {
        try (Scope scope = Scope.open()) {
            Tensor x = WIDTHS.draw(Key.of(51), 200, DType.FLOAT);
            WarmUp<S> warm = WarmUp.run(Key.of(52), kernel, WIDTHS, x, 500, acceptance);
            double found = ChainRun.run(Key.of(53), warm.kernel(), WIDTHS, warm.x(), 50)
                    .acceptance()
                    .orElseThrow();
            assertThat(found).isCloseTo(acceptance, within(0.05));
            assertThat(warm.x().shape()).isEqualTo(x.shape());
            assertThat(warm.x().toDoubles()).isNotEqualTo(x.toDoubles());
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {1e-8, 1e-3, 0.4, 50, 1e7})
    void findsTheOrderOfTheStepFromAnywhere(double start) {
        try (Scope scope = Scope.open()) {
            Tensor x = UNIT.draw(Key.of(54), 500, DType.FLOAT);
            Mala mala = Mala.of(start);
            double found = WarmUp.find(Key.of(55), mala, UNIT, x, 0.6);
            // doubling or halving crossed the acceptance here
            assertThat(acceptance(mala.withStepSize(found), x)).isGreaterThan(0.57);
            assertThat(acceptance(mala.withStepSize(2 * found), x)).isLessThan(0.63);
        }
    }

    private static double acceptance(Mala mala, Tensor x) {
        return ChainRun.run(Key.of(56), mala, UNIT, x, 5).acceptance().orElseThrow();
    }

    @Test
    void kernelsWithoutAnAcceptRejectStepAreNamed() {
        try (Scope scope = Scope.open()) {
            Tensor x = UNIT.draw(Key.of(57), 5);
            assertThatThrownBy(() -> WarmUp.run(Key.of(1), Langevin.of(0.1), UNIT, x, 10, 0.6))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage(
                            "Langevin has no accept/reject step, so its step size can't be adapted to an acceptance");
            Psgld other = with(Psgld.of(0.1), "decay", 0.9, "damping", 1);
            assertThatThrownBy(() -> WarmUp.find(Key.of(1), other, UNIT, x, 0.6))
                    .hasMessageStartingWith("Psgld has no accept/reject step");
            assertThatThrownBy(() -> WarmUp.run(Key.of(1), Mala.of(0.1), UNIT, x, 0, 0.6))
                    .hasMessage("steps must be at least 1, found 0");
            assertThatThrownBy(() -> WarmUp.run(Key.of(1), Mala.of(0.1), UNIT, x, 10, 1))
                    .hasMessageStartingWith("acceptance must lie between 0.01 and 0.99");
        }
    }

    @Test
    void targetsThatAnyStepOrNoneSuitsAreRefused() {
        try (Scope scope = Scope.open()) {
            Tensor x = UNIT.draw(Key.of(58), 5);
            LogDensity flat = at -> at.times(0).sumPerSample();
            assertThatThrownBy(() -> WarmUp.find(Key.of(1), Mala.of(0.5), flat, x, 0.6))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("no step size from 0.5 to " + 0.5 * Math.pow(2, 60)
                            + " gives an acceptance of 0.6; is the target flat, or not a number?");
            LogDensity lost = at -> at.times(Double.NaN).sumPerSample();
            assertThatThrownBy(() -> WarmUp.find(Key.of(1), Mala.of(0.5), lost, x, 0.6))
                    .hasMessageContaining("is the target flat, or not a number?");
        }
    }
}

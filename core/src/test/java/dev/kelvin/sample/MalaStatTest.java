package dev.kelvin.sample;

import static dev.kelvin.sample.Changed.with;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kelvin.energy.Gaussian;
import dev.kelvin.energy.TargetCases;
import dev.kelvin.sample.chain.ChainRun;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.OneThread;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * MALA leaves every analytic target as it is. Chains start in the target by exact draws, so that after any number of
 * steps their means, covariances, mean of f and marginals must be the target's. Alpha is 1e-3 for the class, divided by
 * the number of its checks.
 */
@ExtendWith(OneThread.class)
class MalaStatTest {
    private static final double ALPHA = 1e-3;

    /** Those of the targets with and without a clip, and 5 moments at each of 3 temperatures. */
    private static final int CHECKS =
            2 * targets().mapToInt(c -> TargetChecks.count(c.target())).sum() + 3 * 5;

    private static final double EACH = ALPHA / CHECKS;
    private static final int CHAINS = 20_000;
    private static final int STEPS = 25;

    /** Step sizes at which between a tenth and a half of the proposals are refused: the ratio matters. */
    private static final Map<String, Double> STEP_SIZES = Map.of(
            "gaussian", 0.15,
            "mixture", 0.15,
            "rings", 0.03,
            "funnel", 0.4,
            "banana", 0.3,
            "double well", 0.15,
            "gaussian 3", 0.7,
            "funnel 5", 0.25,
            "double well 1", 0.15,
            "double well 3", 0.12);

    static Stream<TargetCases.Case> targets() {
        return TargetCases.all();
    }

    static Stream<Arguments> twins() {
        return targets().flatMap(c -> Stream.of(BrokenMala.Fault.values()).map(fault -> Arguments.of(c, fault)));
    }

    private static double stepSize(TargetCases.Case c) {
        Double found = STEP_SIZES.get(c.name());
        if (found == null) {
            throw new IllegalStateException(c + " is new: give it a step size here");
        }
        return found;
    }

    @ParameterizedTest
    @MethodSource("targets")
    void leavesTheTargetAsItIs(TargetCases.Case c) {
        try (Scope scope = Scope.open()) {
            Tensor start = c.target().draw(Key.of(31), CHAINS, DType.DOUBLE);
            ChainRun walk = ChainRun.run(Key.of(32), Mala.of(stepSize(c)), c.target(), start, STEPS);
            assertThat(walk.acceptance().orElseThrow()).isBetween(0.5, 0.9);
            assertThat(TargetChecks.smallestP(c.target(), walk.x())).isGreaterThan(EACH);
        }
    }

    /** Its power twin is {@link BrokenMala.Fault#NO_CLIP_IN_RATIO}. */
    @ParameterizedTest
    @MethodSource("targets")
    void leavesTheTargetAsItIsWithAClippedGradient(TargetCases.Case c) {
        try (Scope scope = Scope.open()) {
            Tensor start = c.target().draw(Key.of(31), CHAINS, DType.DOUBLE);
            Mala clipped = with(Mala.of(stepSize(c)), "clip", BrokenMala.CLIP);
            ChainRun walk = ChainRun.run(Key.of(32), clipped, c.target(), start, STEPS);
            assertThat(walk.acceptance().orElseThrow()).isBetween(0.3, 0.9);
            assertThat(TargetChecks.smallestP(c.target(), walk.x())).isGreaterThan(EACH);
        }
    }

    @ParameterizedTest
    @MethodSource("twins")
    void powerTwinsFail(TargetCases.Case c, BrokenMala.Fault fault) {
        try (Scope scope = Scope.open()) {
            Tensor start = c.target().draw(Key.of(31), CHAINS, DType.DOUBLE);
            ChainRun walk = ChainRun.run(Key.of(32), new BrokenMala(stepSize(c), fault), c.target(), start, STEPS);
            assertThat(TargetChecks.smallestP(c.target(), walk.x())).isLessThan(EACH);
        }
    }

    // ---- temperature: exp(f/T) of a Gaussian has T times its covariance

    private static final double[][] LEANING = {{2, 0.9}, {0.9, 0.8}};
    private static final double[] CENTRE = {1, -2};

    /** The worst moment of chains that started at one temperature and ran at another, against the first. */
    private static double worstMoment(double started, double ran) {
        double[][] expected = new double[2][2];
        for (int i = 0; i < 2; i++) {
            for (int j = 0; j < 2; j++) {
                expected[i][j] = started * LEANING[i][j];
            }
        }
        try (Scope scope = Scope.open()) {
            Tensor x = new Gaussian(CENTRE, expected).draw(Key.of(34), CHAINS, DType.DOUBLE);
            Tensor end = ChainRun.run(
                            Key.of(35), with(Mala.of(0.2), "temperature", ran), new Gaussian(CENTRE, LEANING), x, STEPS)
                    .x();
            return SampleMoments.worst(end.toDoubles(), CENTRE, expected);
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.05, 0.5, 4})
    void temperatureScalesTheCovariance(double temperature) {
        assertThat(TargetChecks.twoSided(worstMoment(temperature, temperature))).isGreaterThan(EACH);
    }

    /** The faults: T left out, and T for its root in the noise's variance. */
    @ParameterizedTest
    @CsvSource({"0.05, 1", "0.5, 1", "4, 1", "0.5, 0.25", "4, 16"})
    void powerTwinsAtAnotherTemperatureFail(double temperature, double wrong) {
        assertThat(TargetChecks.twoSided(worstMoment(temperature, wrong))).isLessThan(EACH);
    }
}

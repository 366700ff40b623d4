package dev.kelvin.sample;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kelvin.energy.Gaussian;
import dev.kelvin.energy.Target;
import dev.kelvin.energy.TargetCases;
import dev.kelvin.tensor.Backend;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.apache.commons.statistics.inference.KolmogorovSmirnovTest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
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
class MalaStatTest {
    private static final double ALPHA = 1e-3;

    private static final int THREADS = Backend.threads();

    /** Libtorch's threads wait by spinning: on a busy machine two of them made this class twenty times slower. */
    @BeforeAll
    static void oneThread() {
        Backend.threads(1);
    }

    @AfterAll
    static void threadsAsBefore() {
        Backend.threads(THREADS);
    }

    /** A target of dimension d has d + d(d + 1)/2 moments, d marginals and f: 6 of 2, 2 of 3, 1 of 5 and 1 of 1. */
    private static final int CHECKS = 6 * 8 + 2 * 13 + 26 + 4 + 3 * 5;

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
            Walk walk = Walk.run(Key.of(32), new Mala(stepSize(c), 1), c.target(), start, STEPS);
            assertThat(walk.acceptance().orElseThrow()).isBetween(0.5, 0.9);
            assertThat(smallestP(c.target(), walk.x())).isGreaterThan(EACH);
        }
    }

    @ParameterizedTest
    @MethodSource("twins")
    void powerTwinsFail(TargetCases.Case c, BrokenMala.Fault fault) {
        try (Scope scope = Scope.open()) {
            Tensor start = c.target().draw(Key.of(31), CHAINS, DType.DOUBLE);
            Walk walk = Walk.run(Key.of(32), new BrokenMala(stepSize(c), fault), c.target(), start, STEPS);
            assertThat(smallestP(c.target(), walk.x())).isLessThan(EACH);
        }
    }

    /** The smallest p-value of all checks of draws against a target. */
    private static double smallestP(Target target, Tensor x) {
        if (!x.allFinite()) {
            return 0; // unadjusted chains run away from light tails
        }
        int d = target.dimension();
        double[] values = x.toDoubles();
        Tensor exact = target.draw(Key.of(33), CHAINS, DType.DOUBLE);
        double[] reference = exact.toDoubles();
        double p = twoSided(Moments.worst(values, target.mean(), target.covariance()));
        p = Math.min(
                p,
                twoSided(difference(target.at(x).toDoubles(), target.at(exact).toDoubles())));
        for (int i = 0; i < d; i++) {
            double ks = KolmogorovSmirnovTest.withDefaults()
                    .test(column(values, d, i), column(reference, d, i))
                    .getPValue();
            p = Math.min(p, ks);
        }
        return p;
    }

    private static double twoSided(double deviation) {
        return 2 * NormalDistribution.of(0, 1).survivalProbability(deviation);
    }

    /** Welch's statistic of two independent samples. */
    private static double difference(double[] a, double[] b) {
        double meanA = mean(a);
        double meanB = mean(b);
        return Math.abs(meanA - meanB) / Math.sqrt(variance(a, meanA) / a.length + variance(b, meanB) / b.length);
    }

    private static double mean(double[] values) {
        double sum = 0;
        for (double value : values) {
            sum += value;
        }
        return sum / values.length;
    }

    private static double variance(double[] values, double mean) {
        double sum = 0;
        for (double value : values) {
            sum += (value - mean) * (value - mean);
        }
        return sum / (values.length - 1);
    }

    private static double[] column(double[] values, int d, int at) {
        double[] column = new double[values.length / d];
        for (int i = 0; i < column.length; i++) {
            column[i] = values[i * d + at];
        }
        return column;
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
            Tensor end = Walk.run(Key.of(35), new Mala(0.2, ran), new Gaussian(CENTRE, LEANING), x, STEPS)
                    .x();
            return Moments.worst(end.toDoubles(), CENTRE, expected);
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.05, 0.5, 4})
    void temperatureScalesTheCovariance(double temperature) {
        assertThat(twoSided(worstMoment(temperature, temperature))).isGreaterThan(EACH);
    }

    /** The faults: T left out, and T for its root in the noise's variance. */
    @ParameterizedTest
    @CsvSource({"0.05, 1", "0.5, 1", "4, 1", "0.5, 0.25", "4, 16"})
    void powerTwinsAtAnotherTemperatureFail(double temperature, double wrong) {
        assertThat(twoSided(worstMoment(temperature, wrong))).isLessThan(EACH);
    }
}

package dev.kelvin.negative;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.apache.commons.statistics.distribution.UniformContinuousDistribution;
import org.apache.commons.statistics.inference.KolmogorovSmirnovTest;
import org.junit.jupiter.api.Test;

/** Beginnings against their distribution, coordinate by coordinate. Alpha is 1e-3 for the class's 7 checks. */
class StartStatTest {
    private static final double EACH = 1e-3 / 7;
    private static final int DRAWS = 20_000;

    private static double p(SampleSource start, int coordinate, DoubleUnaryOperator cdf) {
        try (Scope scope = Scope.open()) {
            double[] values = start.draw(Key.of(41), DRAWS)
                    .flattenSamples()
                    .select(1, coordinate)
                    .toDoubles();
            return KolmogorovSmirnovTest.withDefaults().test(values, cdf).getPValue();
        }
    }

    private static DoubleUnaryOperator normal(double mean, double std) {
        return NormalDistribution.of(mean, std)::cumulativeProbability;
    }

    @Test
    void gaussian() {
        SampleSource start = SampleSource.gaussian(List.of(1.0, -3.0), 0.5, List.of(2L), Device.CPU);
        assertThat(p(start, 0, normal(1, 0.5))).isGreaterThan(EACH);
        assertThat(p(start, 1, normal(-3, 0.5))).isGreaterThan(EACH);
        assertThat(p(start, 0, normal(1.03, 0.5))).isLessThan(EACH); // the twins
        assertThat(p(start, 1, normal(-3, 0.53))).isLessThan(EACH);
    }

    @Test
    void gaussianImage() {
        SampleSource start = SampleSource.gaussian(List.of(), 2, List.of(1L, 2L, 2L), Device.CPU);
        assertThat(p(start, 0, normal(0, 2))).isGreaterThan(EACH);
        assertThat(p(start, 3, normal(0, 2))).isGreaterThan(EACH);
        assertThat(p(start, 3, normal(0, Math.sqrt(2)))).isLessThan(EACH);
    }

    @Test
    void uniform() {
        SampleSource start = SampleSource.uniform(-1, 3, List.of(2L), Device.CPU);
        assertThat(p(start, 1, UniformContinuousDistribution.of(-1, 3)::cumulativeProbability))
                .isGreaterThan(EACH);
        assertThat(p(start, 1, UniformContinuousDistribution.of(-1, 3.2)::cumulativeProbability))
                .isLessThan(EACH);
    }

    /** Noise adds to the draws' own variance, and is independent of them. */
    @Test
    void noisy() {
        SampleSource start = SampleSource.noisy(SampleSource.gaussian(List.of(), 3, List.of(2L), Device.CPU), 4);
        assertThat(p(start, 0, normal(0, 5))).isGreaterThan(EACH);
        assertThat(p(start, 1, normal(0, 5))).isGreaterThan(EACH);
        assertThat(p(start, 1, normal(0, 7))).isLessThan(EACH); // what one key for both would give
    }
}

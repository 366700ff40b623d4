package dev.kelvin.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.kelvin.sample.warmup.AdaptiveWarmUp;
import dev.kelvin.sample.warmup.MetricEstimate;
import dev.kelvin.sample.warmup.PathAdaptation;
import dev.kelvin.sample.warmup.Windows;
import dev.kelvin.tensor.Key;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The parts of {@link AdaptiveWarmUp}. */
class AdaptationTest {
    /** Of 1000 steps as Stan's reference manual has them: 75, then 25, 50, 100, 200, 500, then 50. */
    @Test
    void windowsAreStans() {
        Windows windows = Windows.of(1000);
        assertThat(windows.first()).isEqualTo(75);
        assertThat(windows.ends()).containsExactly(99, 149, 249, 449, 949);
        assertThat(windows.collects(74)).isFalse();
        assertThat(windows.collects(75)).isTrue();
        assertThat(windows.collects(950)).isFalse();
        assertThat(Windows.of(150).ends()).containsExactly(99);
        assertThat(Windows.of(100).first()).isEqualTo(15);
        assertThat(Windows.of(100).ends()).containsExactly(89);
        assertThat(Windows.of(19).ends()).isEmpty();
        assertThat(Windows.of(19).collects(5)).isFalse();
    }

    /** Draws of N(0, diag(3, 0.01)) turned so that the correlation is r; each chain's middle moved by so much. */
    private static List<Double> scales(int chains, int steps, double r, double apart, boolean correlated) {
        RandomGenerator random = Key.of(1).stream();
        MetricEstimate estimate = new MetricEstimate(chains, 2, correlated);
        double[] middles =
                random.doubles(2L * chains, -1, 1).map(middle -> apart * middle).toArray();
        for (int step = 0; step < steps; step++) {
            double[] x = new double[2 * chains];
            for (int chain = 0; chain < chains; chain++) {
                double a = random.nextGaussian() + middles[2 * chain];
                double b = r * a + Math.sqrt(1 - r * r) * random.nextGaussian() + middles[2 * chain + 1];
                x[2 * chain] = 3 * a;
                x[2 * chain + 1] = 0.01 * b;
            }
            estimate.add(x);
        }
        return estimate.scales(1, 1);
    }

    /** 8000 draws: sd to 0.8 %, r to 0.01 at r = 0 and less elsewhere; 5 standard errors. */
    @ParameterizedTest
    @ValueSource(doubles = {0, 0.6, -0.999})
    void findsWidthsAndCorrelations(double r) {
        List<Double> lower = scales(16, 500, r, 0, true);
        assertThat(lower).hasSize(3);
        assertThat(lower.get(0)).isCloseTo(3, withinPercentage(4));
        double width = Math.hypot(lower.get(1), lower.get(2));
        assertThat(width).isCloseTo(0.01, withinPercentage(4));
        assertThat(lower.get(1) / width).isCloseTo(r, within(0.06));
        // what is left of the second given the first
        assertThat(lower.get(2) / width).isCloseTo(Math.sqrt(1 - r * r), withinPercentage(5));
        assertThat(scales(16, 500, r, 0, false)).hasSize(2);
    }

    /** Four chains that stand apart measure four points: what they seem to say of correlations is not believed. */
    @Test
    void correlationsOfChainsThatDisagreeAreNotBelieved() {
        List<Double> apart = scales(4, 25, 0, 20, true);
        List<Double> together = scales(4, 2000, 0.9, 0, true);
        assertThat(Math.abs(apart.get(1)) / Math.hypot(apart.get(1), apart.get(2)))
                .isLessThan(0.5);
        assertThat(together.get(1) / Math.hypot(together.get(1), together.get(2)))
                .isCloseTo(0.9, within(0.05));
    }

    @Test
    void aCoordinateThatStandsStillKeepsItsWidth() {
        MetricEstimate estimate = new MetricEstimate(2, 1, true);
        estimate.add(5, 5);
        estimate.add(5, 5);
        assertThat(estimate.scales(2).get(0)).isCloseTo(2 * Math.sqrt(5e-3 / 9), within(1e-12));
    }

    /** The slope is the derivative of ¼ mean (|y' − m'|² − |y − m|²)² along velocities whose mean is 0. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theSlopeIsADerivative(boolean metric) {
        RandomGenerator random = Key.of(2).stream();
        int chains = 5;
        double[] before = random.doubles(2L * chains, -1, 1).toArray();
        double[] velocity = random.doubles(2L * chains, -1, 1).toArray(); // in y
        for (int i = 0; i < 2; i++) {
            double mean = 0;
            for (int chain = 0; chain < chains; chain++) {
                mean += velocity[2 * chain + i] / chains;
            }
            for (int chain = 0; chain < chains; chain++) {
                velocity[2 * chain + i] -= mean;
            }
        }
        List<Double> scales = metric ? List.of(1.5, 0.3, 0.8) : List.of();
        double[] ones = {1, 1, 1, 1, 1};
        double h = 1e-5;
        double slope = PathAdaptation.slope(scales, before, moved(before, velocity, scales, 0.7), velocity, ones);
        double above = criterion(before, moved(before, velocity, scales, 0.7 + h), scales);
        double below = criterion(before, moved(before, velocity, scales, 0.7 - h), scales);
        assertThat(slope).isCloseTo((above - below) / (2 * h), withinPercentage(1e-4));
    }

    private static double[] moved(double[] x, double[] v, List<Double> scales, double t) {
        double[] y = x.clone();
        for (int i = 0; i < x.length; i += 2) {
            y[i] += t * (scales.isEmpty() ? v[i] : 1.5 * v[i]);
            y[i + 1] += t * (scales.isEmpty() ? v[i + 1] : 0.3 * v[i] + 0.8 * v[i + 1]);
        }
        return y;
    }

    private static double criterion(double[] before, double[] after, List<Double> scales) {
        double sum = 0;
        int chains = before.length / 2;
        for (int chain = 0; chain < chains; chain++) {
            double difference = square(after, chain, scales) - square(before, chain, scales);
            sum += difference * difference / 4 / chains;
        }
        return sum;
    }

    private static double square(double[] x, int chain, List<Double> scales) {
        double[] y = new double[2];
        for (int i = 0; i < 2; i++) {
            for (int c = 0; c < x.length / 2; c++) {
                y[i] -= x[2 * c + i] / (x.length / 2.0);
            }
            y[i] += x[2 * chain + i];
        }
        PathAdaptation.whiten(scales, y);
        return y[0] * y[0] + y[1] * y[1];
    }
}

package dev.kelvin.energy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kelvin.metric.ChiSquare;
import dev.kelvin.metric.Histogram;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Tensor;
import java.util.random.RandomGenerator;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Draws against densities and moments. Alpha is 1e-3 for the class, divided by the number of its checks. */
class TargetStatTest {
    private static final double ALPHA = 1e-3;

    /** 6 chi-square tests; the moments of 10 targets, d(d + 3)/2 each: 6·5 + 9 + 20 + 2 + 9. */
    private static final int CHECKS = 6 + 70;

    private static final int DRAWS = 50_000;

    @ParameterizedTest
    @MethodSource("dev.kelvin.energy.TargetCases#plane")
    void drawsFollowTheDensityAndTheTwinTooWideDoesNot(TargetCases.Case c) {
        Histogram expected = ChiSquare.expected(c.normalised(), c.box());
        assertThat(ChiSquare.pValue(Key.of(11), c.target(), expected)).isGreaterThan(ALPHA / CHECKS);
        assertThat(ChiSquare.pValue(Key.of(11), stretched(c.target()), expected))
                .isLessThan(ALPHA / CHECKS);
    }

    @ParameterizedTest
    @MethodSource("dev.kelvin.energy.TargetCases#all")
    void drawsHaveTheStatedMoments(TargetCases.Case c) {
        assertThat(worstMoment(c.target(), c.target())).isLessThan(bound());
    }

    @ParameterizedTest
    @MethodSource("dev.kelvin.energy.TargetCases#all")
    void powerTwinMomentsOfDrawsTooWideFail(TargetCases.Case c) {
        assertThat(worstMoment(stretched(c.target()), c.target())).isGreaterThan(bound());
    }

    private static double bound() {
        return NormalDistribution.of(0, 1).inverseSurvivalProbability(ALPHA / CHECKS / 2);
    }

    /** The broken sampler: every point 7 % too far out. */
    private static ExactSampler stretched(ExactSampler right) {
        return new ExactSampler() {
            @Override
            public int dimension() {
                return right.dimension();
            }

            @Override
            public void next(RandomGenerator random, double[] point) {
                right.next(random, point);
                for (int i = 0; i < point.length; i++) {
                    point[i] *= 1.07;
                }
            }
        };
    }

    /** The greatest |estimate − moment| / standard error over means and covariances about the stated mean. */
    private static double worstMoment(ExactSampler sampler, Target stated) {
        double[] values;
        try (Tensor draws = sampler.draw(Key.of(12), DRAWS, DType.DOUBLE)) {
            values = draws.toDoubles();
        }
        int d = stated.dimension();
        double[] mean = stated.mean();
        double[][] covariance = stated.covariance();
        double worst = 0;
        for (int i = 0; i < d; i++) {
            worst = Math.max(worst, deviation(values, d, i, mean, -1, 0));
            for (int j = 0; j <= i; j++) {
                worst = Math.max(worst, deviation(values, d, i, mean, j, covariance[i][j]));
            }
        }
        return worst;
    }

    /** Of (xᵢ − mᵢ)(xⱼ − mⱼ), or of xᵢ − mᵢ if j is −1, from what its mean should be. */
    private static double deviation(double[] values, int d, int i, double[] mean, int j, double expected) {
        double sum = 0;
        double squares = 0;
        for (int at = 0; at < values.length; at += d) {
            double term = (values[at + i] - mean[i]) * (j < 0 ? 1 : values[at + j] - mean[j]) - expected;
            sum += term;
            squares += term * term;
        }
        return Math.abs(sum) / Math.sqrt(squares);
    }
}

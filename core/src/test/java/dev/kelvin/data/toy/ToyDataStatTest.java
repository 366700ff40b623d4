package dev.kelvin.data.toy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kelvin.energy.ExactSampler;
import dev.kelvin.metric.ChiSquare;
import dev.kelvin.metric.Histogram;
import dev.kelvin.tensor.Key;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Draws against densities on bins of the domain. Alpha is 1e-3 for the class, divided by its 7 checks. */
class ToyDataStatTest {
    private static final double ALPHA = 1e-3 / 7;

    static List<ToyData> toys() {
        return ToyData.all();
    }

    @ParameterizedTest
    @MethodSource("toys")
    void drawsFollowTheDensityAndBrokenTwinsDoNot(ToyData toy) {
        Histogram expected = ChiSquare.expected(toy.logDensity().orElseThrow(), toy.domain());
        assertThat(ChiSquare.pValue(Key.of(21), toy, expected)).isGreaterThan(ALPHA);
        ExactSampler stretched = broken(toy, 1.02, 0);
        assertThat(ChiSquare.pValue(Key.of(21), stretched, expected)).isLessThan(ALPHA);
        ExactSampler lopsided = broken(toy, 1, 0.1);
        assertThat(ChiSquare.pValue(Key.of(21), lopsided, expected)).isLessThan(ALPHA);
    }

    /** Points are stretched; and with this probability one with x below 0 is not drawn. */
    private static ExactSampler broken(ToyData toy, double stretch, double lost) {
        return new ExactSampler() {
            @Override
            public int dimension() {
                return 2;
            }

            @Override
            public void next(RandomGenerator random, double[] point) {
                do {
                    toy.next(random, point);
                } while (point[0] < 0 && random.nextDouble() < lost);
                point[0] *= stretch;
                point[1] *= stretch;
            }
        };
    }
}

package dev.kelvin.math;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.tensor.Key;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Columns of all kinds become normal, and back. */
class NormalQuantilesTest {
    private static final double NOISE = 0.1;
    private static final int ROWS = 4000;

    /** Heavy tails, three values that rows share, a bound, one value alone. */
    static Stream<double[]> columns() {
        RandomGenerator random = Key.of(1).stream();
        return Stream.of(
                random.doubles(ROWS).map(u -> Math.tan(Math.PI * (u - 0.5))).toArray(),
                random.doubles(ROWS).map(u -> u < 0.7 ? 0 : u < 0.9 ? 1 : 5).toArray(),
                random.doubles(ROWS).map(u -> -Math.log(u)).toArray(),
                new double[ROWS]);
    }

    @ParameterizedTest
    @MethodSource("columns")
    void makesNoisyColumnsNormal(double[] column) {
        NormalQuantiles.Scorer scorer = NormalQuantiles.of(column, NOISE).scorer();
        RandomGenerator random = Key.of(2).stream();
        double[] z = Arrays.stream(column)
                .map(x -> scorer.forward(x + NOISE * random.nextGaussian()))
                .toArray();
        double mean = Arrays.stream(z).average().orElseThrow();
        double variance = Arrays.stream(z).map(v -> v * v).average().orElseThrow() - mean * mean;
        double within = Arrays.stream(z).filter(v -> Math.abs(v) < 1).count() / (double) ROWS;
        // four standard errors of 4000 draws: 0.063, 0.089 and, of a share of 0.683, 0.029
        assertThat(mean).isCloseTo(0, within(0.063));
        assertThat(variance).isCloseTo(1, within(0.089));
        assertThat(within).isCloseTo(0.6827, within(0.029));
    }

    @ParameterizedTest
    @MethodSource("columns")
    void goesBackAndKnowsItsSlope(double[] column) {
        NormalQuantiles.Scorer scorer = NormalQuantiles.of(column, NOISE).scorer();
        double most = Arrays.stream(column).max().orElseThrow();
        for (double x : new double[] {-2000, -0.3, 0, 0.17, 0.9, 5.01, most + 50}) {
            double z = scorer.forward(x);
            assertThat(scorer.back(z)).isCloseTo(x, within(1e-6 * (1 + Math.abs(x))));
            double h = 1e-7 * (1 + Math.abs(x));
            double after = (scorer.forward(x + h) - z) / h;
            double before = (z - scorer.forward(x - h)) / h;
            // at a knot either side will do; a difference of two z of size 1e4 has lost 1e-12/1e-7 of its digits
            double found = Math.exp(scorer.logSlope(x));
            double error = Math.min(Math.abs(found - after), Math.abs(found - before));
            assertThat(error).isLessThan(1e-3 * found);
        }
    }

    @Test
    void refusesKnotsThatDoNotRise() {
        assertThatThrownBy(() -> new NormalQuantiles(List.of(1.0, 1.0), List.of(0.0, 1.0)))
                .hasMessageContaining("must rise");
        assertThatThrownBy(() -> NormalQuantiles.of(new double[3], 0)).hasMessageContaining("noise must be above 0");
    }
}

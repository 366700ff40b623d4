package dev.kelvin.metric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.data.toy.ToyData;
import dev.kelvin.diagnostic.ChainDraws;
import dev.kelvin.energy.Gaussian;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.math.Box;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SampleDistanceTest {
    private static final Box UNIT_SQUARE = new Box(0, 1, 0, 1);
    private static final LogDensity FLAT = x -> x.sum(1L).times(0);

    static List<ToyData> toys() {
        return ToyData.all();
    }

    @Test
    void samplesFallIntoTheirBins() {
        try (Scope scope = Scope.open()) {
            float nan = Float.NaN;
            float[] points = {0.1f, 0.1f, 0.9f, 0.1f, 0.1f, 0.9f, 0.2f, 0.6f, 0.6f, 1f, nan, 0.5f, 0.5f, 1 / 0f, -1, 0};
            Histogram histogram = Histogram.of(Tensors.of(points, 8, 2), UNIT_SQUARE, 2);
            // (low, low), (high x, low), two (low x, high), none (high, high), outside: the upper edge, NaN, inf, -1
            assertThat(histogram.shares()).containsExactly(0.125, 0.125, 0.25, 0, 0.5);
            assertThat(histogram.samples()).isEqualTo(8);
            SampleDistance distance =
                    SampleDistance.of(Key.of(1), Tensors.of(points, 8, 2), Histogram.of(FLAT, UNIT_SQUARE, 2));
            assertThat(distance.totalVariation()).isCloseTo(0.5, within(1e-12)); // .5 (.125 + .125 + 0 + .25 + .5)
        }
    }

    /** The figure's standard deviation for n exact draws. */
    private static double deviation(Histogram reference, int n) {
        return Math.sqrt(ChainDraws.variance(IntStream.range(0, 32)
                .mapToDouble(i -> SampleDistance.exactDistance(Key.of(8).child(i), n, reference.shares()))
                .toArray()));
    }

    @Test
    void exactSharesOfAGaussianAreProductsOfItsDistribution() {
        Gaussian gaussian = Gaussian.isotropic(new double[] {0.3, 0}, 1);
        LogDensity normalised = x -> gaussian.at(x).minus(gaussian.logNormaliser());
        double[] shares = Histogram.of(normalised, Box.square(0, 0, 3), 6).shares();
        NormalDistribution phi = NormalDistribution.of(0, 1);
        double worst = 0;
        for (int row = 0; row < 6; row++) {
            for (int column = 0; column < 6; column++) {
                double expected = phi.probability(column - 3.3, column - 2.3) * phi.probability(row - 3, row - 2);
                worst = Math.max(worst, Math.abs(shares[6 * row + column] - expected));
            }
        }
        // midpoint: h²/24 times the slope's change over the bin, .33 and .24, times the other side's share, .34 and
        // .38,
        // with h = 6/258: 2.5e-6 and 2.1e-6
        assertThat(worst).isLessThan(5e-6);
        double inside = phi.probability(-3.3, 2.7) * phi.probability(-3, 3);
        assertThat(shares[36]).isCloseTo(1 - inside, within(1e-5));
        assertThat(Arrays.stream(shares).sum()).isCloseTo(1, within(1e-12));
    }

    @Test
    void theFloorIsTheExpectedDistanceOfExactDraws() {
        try (Scope scope = Scope.open()) {
            int n = 10_000;
            double p = 1.0 / 16;
            // E|binomial share − p| = √(2p(1 − p)/πn) for np of hundreds; sixteen bins, half of their sum
            double expected = 8 * Math.sqrt(2 * p * (1 - p) / (Math.PI * n));
            Histogram flat = Histogram.of(FLAT, UNIT_SQUARE, 4);
            Tensor any = Tensors.zeros(dev.kelvin.tensor.DType.FLOAT, dev.kelvin.tensor.Device.CPU, n, 2);
            SampleDistance distance = SampleDistance.of(Key.of(2), any, flat);
            // alpha = 1e-4, t of 31 degrees: 4.5; plus the formula's own error of order 1/np
            double error = deviation(flat, n) / Math.sqrt(32);
            assertThat(distance.floor()).isCloseTo(expected, within(4.5 * error + expected / (n * p)));
            assertThat(error).isLessThan(0.1 * expected); // twin: half the samples would stand 1.4 times as high
            assertThat(distance.totalVariation()).isCloseTo(15.0 / 16, within(1e-9)); // all in one bin
        }
    }

    /** Alpha: 5 deviations, below 1e-5 a toy. The twin, stretched by 5 %, stands above. */
    @ParameterizedTest
    @MethodSource("toys")
    void exactDrawsStandOnTheFloorAndStretchedOnesAbove(ToyData toy) {
        try (Scope scope = Scope.open()) {
            Histogram reference = Histogram.of(toy.logDensity().orElseThrow(), toy.domain(), 32);
            Tensor draws = toy.draw(Key.of(3), 10_000);
            SampleDistance right = SampleDistance.of(Key.of(4), draws, reference);
            assertThat(right.totalVariation()).isCloseTo(right.floor(), within(5 * deviation(reference, 10_000)));
            SampleDistance wide = SampleDistance.of(Key.of(4), draws.times(1.05), reference);
            assertThat(wide.totalVariation()).isGreaterThan(wide.floor() + 5 * deviation(reference, 10_000));
            assertThat(SampleDistance.of(Key.of(4), draws, reference)).isEqualTo(right);
        }
    }

    @Test
    void aSampleAsReferenceRaisesTheFloor() {
        try (Scope scope = Scope.open()) {
            ToyData rings = ToyData.named("rings");
            Histogram sampled = Histogram.of(rings.draw(Key.of(5), 10_000), rings.domain(), 16);
            double deviation = Math.sqrt(2) * deviation(sampled, 10_000);
            SampleDistance distance = SampleDistance.of(Key.of(6), rings.draw(Key.of(7), 10_000), sampled);
            assertThat(distance.totalVariation()).isCloseTo(distance.floor(), within(5 * deviation));
            double withoutReferenceNoise = distance.floor() / Math.sqrt(2);
            assertThat(distance.totalVariation()).isGreaterThan(withoutReferenceNoise + 5 * deviation);
        }
    }

    @Test
    void mistakesAreNamed() {
        try (Scope scope = Scope.open()) {
            Tensor three = Tensors.of(new float[6], 2, 3);
            assertThatThrownBy(() -> Histogram.of(three, UNIT_SQUARE, 2)).hasMessageContaining("[n, 2]");
            LogDensity high = x -> FLAT.at(x).plus(1);
            assertThatThrownBy(() -> Histogram.of(high, UNIT_SQUARE, 2))
                    .hasMessageContaining("is 2.71828")
                    .hasMessageContaining("subtract its log-normaliser");
            Histogram two = Histogram.of(FLAT, UNIT_SQUARE, 2);
            Histogram four = Histogram.of(FLAT, UNIT_SQUARE, 4);
            assertThatThrownBy(() -> two.totalVariation(four)).hasMessageContaining("found 2 a side");
            assertThatThrownBy(() -> Histogram.of(FLAT, UNIT_SQUARE, 0))
                    .hasMessageContaining("bins must be at least 1");
        }
    }
}

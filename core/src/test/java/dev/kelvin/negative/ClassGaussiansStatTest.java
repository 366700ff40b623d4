package dev.kelvin.negative;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.energy.Gaussian;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ClassGaussiansStatTest {
    private static final List<Long> SHAPE = List.of(1L, 1L, 2L);

    /** Component 0: mean (1, 2), L = [[2, 0], [1, ½]]; component 1: mean (−5, 0), L = [[0.1, 0], [0, 0.1]]. */
    private static ClassGaussians two() {
        try (Scope scope = Scope.open()) {
            Tensor means = Tensors.of(new double[] {1, 2, -5, 0}, 2, 2);
            Tensor factors = Tensors.of(new double[] {2, 0, 1, 0.5, 0.1, 0, 0, 0.1}, 2, 2, 2);
            return new ClassGaussians(means, factors, new long[] {30, 10}, SHAPE, Device.CPU);
        }
    }

    /** μ + Lξ by hand, each row by its own component. */
    @Test
    void drawsAreTheMeanAndTheFactorsNoise() {
        try (Scope scope = Scope.open();
                ClassGaussians gaussians = two()) {
            Tensor x = gaussians.drawGiven(Key.of(1), 1, 0, 1);
            assertThat(x.shape()).containsExactly(3, 1, 1, 2);
            assertThat(x.dtype()).isEqualTo(DType.FLOAT);
            double[] xi = Tensors.normal(Key.of(1), 3, 2).toDoubles();
            double[] expected = {
                -5 + 0.1 * xi[0], 0.1 * xi[1], 1 + 2 * xi[2], 2 + xi[2] + 0.5 * xi[3], -5 + 0.1 * xi[4], 0.1 * xi[5]
            };
            assertThat(x.toDoubles()).containsExactly(expected, within(1e-6));
        }
    }

    /** Without components asked for, three of four are of component 0: 5σ of 4000 are 0.034. */
    @Test
    void componentsAreAsFrequentAsTheSamples() {
        try (Scope scope = Scope.open();
                ClassGaussians gaussians = two()) {
            double[] first = gaussians
                    .draw(Key.of(2), 4000)
                    .flattenSamples()
                    .select(1, 1)
                    .toDoubles();
            long near =
                    Arrays.stream(first).filter(value -> Math.abs(value) < 0.5).count();
            // of component 0, N(2, 1.25), 8 % lie there too
            assertThat(near / 4000.0).isCloseTo(0.25 + 0.75 * 0.0771, within(0.04));
        }
    }

    @Test
    void oneGaussianServesAllComponents() {
        try (Scope scope = Scope.open()) {
            Tensor mean = Tensors.of(new double[] {3, 4}, 1, 2);
            Tensor factor = Tensors.of(new double[] {0, 0, 0, 0}, 1, 2, 2);
            try (ClassGaussians one = new ClassGaussians(mean, factor, new long[] {5}, SHAPE, Device.CPU)) {
                assertThat(one.drawGiven(Key.of(1), 7, 3).toFloats()).containsExactly(3, 4, 3, 4);
                assertThat(one.draw(Key.of(1), 1).toFloats()).containsExactly(3, 4);
            }
            assertThatThrownBy(() -> new ClassGaussians(mean, factor, new long[] {5, 5}, SHAPE, Device.CPU))
                    .hasMessageContaining("Gaussians of 2 components and 2 numbers do not fit");
        }
    }

    /** The start of points: one Gaussian of 10 000 draws; moments of 20 000 of its own are off by 5σ ≤ 0.1. */
    @Test
    void pointsStartAtAGaussianOfTheirDraws() {
        Gaussian data = new Gaussian(new double[] {1, -2}, new double[][] {{2, 0.8}, {0.8, 0.5}});
        Start start = new Start.ClassGaussianStart();
        assertThat(start.usesData()).isFalse();
        start.requireFit(3 * 32 * 32);
        assertThatThrownBy(() -> start.requireFit(3 * 64 * 64))
                .hasMessageStartingWith("covariance would have 12288² numbers for each class");
        SampleSource draws = start.draws(List.of(2L), data::draw, Device.CPU);
        try (Scope scope = Scope.open()) {
            Tensor x = draws.drawGiven(
                            Key.of(5), LongStream.range(0, 20_000).map(i -> 0).toArray())
                    .to(DType.DOUBLE);
            Tensor centred = x.minus(x.mean(0L));
            assertThat(x.mean(0L).toDoubles()).containsExactly(new double[] {1, -2}, within(0.1));
            assertThat(centred.transpose().matmul(centred).over(20_000).toDoubles())
                    .containsExactly(new double[] {2, 0.8, 0.8, 0.5}, within(0.15));
            assertThat(draws.draw(Key.of(1), 3).dtype()).isEqualTo(DType.FLOAT);
        }
        SampleSource fitted = start.draws(List.of(2L), data::draw, () -> ReplayBufferTest.NUMBERED, Device.CPU);
        assertThat(fitted).isSameAs(ReplayBufferTest.NUMBERED);
    }
}

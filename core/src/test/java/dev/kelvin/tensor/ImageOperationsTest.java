package dev.kelvin.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Operations on images against the same with loops in plain Java. */
final class ImageOperationsTest {
    private Scope scope;

    @BeforeEach
    void open() {
        scope = Scope.open();
    }

    @AfterEach
    void close() {
        scope.close();
    }

    private static Tensor normal(long seed, long... shape) {
        return Tensors.normal(Key.of(seed), DType.DOUBLE, Device.CPU, shape);
    }

    /** A picture [channels][size][size] as a function that is 0 outside. */
    private static double pixel(double[] picture, int size, int channel, int row, int column) {
        boolean inside = row >= 0 && column >= 0 && row < size && column < size;
        return inside ? picture[(channel * size + row) * size + column] : 0;
    }

    @ParameterizedTest
    @CsvSource({"5,3,1,1", "8,4,2,1", "4,4,1,0", "7,3,2,1", "6,1,2,0"})
    void convolution(int size, int kernel, int stride, int padding) {
        int inputs = 2;
        int outputs = 3;
        Tensor x = normal(1, 1, inputs, size, size);
        Tensor weight = normal(2, outputs, inputs, kernel, kernel);
        Tensor bias = normal(3, outputs);
        int out = (size + 2 * padding - kernel) / stride + 1;
        double[] picture = x.toDoubles();
        double[] weights = weight.toDoubles();
        double[] expected = new double[outputs * out * out];
        for (int o = 0; o < outputs; o++) {
            for (int i = 0; i < out * out; i++) {
                int row = i / out * stride - padding;
                int column = i % out * stride - padding;
                for (int k = 0; k < inputs * kernel * kernel; k++) {
                    int down = k / kernel % kernel;
                    int right = k % kernel;
                    expected[o * out * out + i] += weights[o * inputs * kernel * kernel + k]
                            * pixel(picture, size, k / (kernel * kernel), row + down, column + right);
                }
            }
        }
        Tensor plain = x.conv2d(weight, stride, padding);
        assertThat(plain.shape()).isEqualTo(new long[] {1, outputs, out, out});
        assertThat(plain.toDoubles()).containsExactly(expected, within(1e-12));
        Tensor biased = x.conv2d(weight, bias, stride, padding);
        assertThat(biased.toDoubles())
                .containsExactly(plain.plus(bias.reshape(1, outputs, 1, 1)).toDoubles(), within(1e-12));
    }

    /** ⟨y, conv(x)⟩ = ⟨convTranspose(y), x⟩ for all x and y: what transposed means. */
    @ParameterizedTest
    @CsvSource({"8,4,2,1", "4,4,1,0", "5,3,1,1"})
    void transposedConvolution(int size, int kernel, int stride, int padding) {
        Tensor x = normal(1, 2, 3, size, size);
        Tensor weight = normal(2, 5, 3, kernel, kernel);
        Tensor there = x.conv2d(weight, stride, padding);
        Tensor y = normal(3, there.shape());
        Tensor none = Tensors.zeros(DType.DOUBLE, Device.CPU, 3);
        Tensor back = y.convTranspose2d(weight, none, stride, padding);
        assertThat(back.shape()).isEqualTo(x.shape());
        assertThat(back.times(x).sum().item()).isCloseTo(y.times(there).sum().item(), within(1e-10));
        Tensor bias = normal(4, 3);
        assertThat(y.convTranspose2d(weight, bias, stride, padding)
                        .minus(back)
                        .select(3, 0)
                        .select(2, 0)
                        .select(0, 0)
                        .toDoubles())
                .containsExactly(bias.toDoubles(), within(1e-12));
    }

    @Test
    void poolsMeansOfFour() {
        Tensor even = Tensors.of(new double[] {1, 2, 3, 4, 5, 6, 7, 8}, 1, 1, 2, 4);
        assertThat(even.averagePool2().toDoubles()).containsExactly(3.5, 5.5);
        Tensor odd = Tensors.of(new double[] {1, 2, 3, 4, 5, 6, 7, 8, 9}, 1, 1, 3, 3);
        assertThat(odd.averagePool2().toDoubles()).containsExactly(3, 4.5, 7.5, 9);
    }

    @Test
    void groupNorm() {
        Tensor x = normal(1, 2, 4, 3, 3);
        Tensor weight = normal(2, 4);
        Tensor bias = normal(3, 4);
        double[] found = x.groupNorm(2, weight, bias, 1e-3).toDoubles();
        Tensor groups = x.reshape(4, 18);
        Tensor centred = groups.minus(groups.mean(1L).unsqueeze(1));
        Tensor variance = centred.square().mean(1L).unsqueeze(1);
        Tensor unit = centred.over(variance.plus(1e-3).sqrt()).reshape(2, 4, 3, 3);
        double[] expected = unit.times(weight.reshape(1, 4, 1, 1))
                .plus(bias.reshape(1, 4, 1, 1))
                .toDoubles();
        assertThat(found).containsExactly(expected, within(1e-12));
    }

    @Test
    void batchNorm() {
        Tensor x = normal(1, 5, 2, 3, 3);
        Tensor weight = normal(2, 2);
        Tensor bias = normal(3, 2);
        Tensor mean = x.mean(0L, 2L, 3L);
        Tensor centred = x.minus(mean.reshape(1, 2, 1, 1));
        Tensor variance = centred.square().mean(0L, 2L, 3L);
        double[] expected = centred.over(variance.plus(1e-3).sqrt().reshape(1, 2, 1, 1))
                .times(weight.reshape(1, 2, 1, 1))
                .plus(bias.reshape(1, 2, 1, 1))
                .toDoubles();
        assertThat(x.batchNorm(weight, bias, 1e-3).toDoubles()).containsExactly(expected, within(1e-12));
        assertThat(x.batchNorm(weight, bias, mean, variance, 0, 1e-3).toDoubles())
                .containsExactly(expected, within(1e-12));

        Tensor running = Tensors.of(new double[] {1, 2});
        Tensor spread = Tensors.of(new double[] {3, 4});
        double[] means = running.times(0.75).plus(mean, 0.25).toDoubles();
        double unbiased = 45.0 / 44;
        double[] spreads = spread.times(0.75).plus(variance, 0.25 * unbiased).toDoubles();
        assertThat(x.batchNorm(weight, bias, running, spread, 0.25, 1e-3).toDoubles())
                .containsExactly(expected, within(1e-12));
        assertThat(running.toDoubles()).containsExactly(means, within(1e-12));
        assertThat(spread.toDoubles()).containsExactly(spreads, within(1e-12));
    }

    @Test
    void twoDimensionsChangePlaces() {
        Tensor x = normal(1, 2, 3, 4);
        assertThat(x.transpose(1, 2).shape()).isEqualTo(new long[] {2, 4, 3});
        assertThat(x.transpose(1, 2).select(0, 1).toDoubles())
                .isEqualTo(x.select(0, 1).transpose().toDoubles());
    }

    @Test
    void aShapeThatDoesNotFitIsNamed() {
        Tensor x = normal(1, 1, 2, 5, 5);
        Tensor weight = normal(2, 3, 4, 3, 3);
        assertThatThrownBy(() -> x.conv2d(weight, 1, 1))
                .isInstanceOf(TensorException.class)
                .hasMessageContaining("to have 4 channels, but got 2 channels");
    }
}

package dev.kelvin.nn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.nn.conv.Resnet;
import dev.kelvin.nn.conv.Stem;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The residual network against its formula, computed by loops over numbers of type double. */
final class ResnetGoldenTest {
    private static final double SLOPE = 0.2;
    private static final double TOLERANCE = 1e-12; // relative; sums of some hundred products in double

    /** Numbers [channels][rows][columns]. */
    private interface Image {
        double at(int channel, int row, int column);
    }

    private record Grid(int channels, int size, Image image) {
        /** Computed once. */
        Grid held() {
            double[][][] values = new double[channels][size][size];
            for (int c = 0; c < channels; c++) {
                for (int y = 0; y < size; y++) {
                    for (int x = 0; x < size; x++) {
                        values[c][y][x] = image.at(c, y, x);
                    }
                }
            }
            return new Grid(channels, size, (c, y, x) -> values[c][y][x]);
        }

        boolean has(int row, int column) {
            return row >= 0 && row < size && column >= 0 && column < size;
        }

        Grid with(DoubleUnaryOperator function) {
            return new Grid(channels, size, (c, y, x) -> function.applyAsDouble(image.at(c, y, x))).held();
        }

        Grid plus(Grid other) {
            return new Grid(channels, size, (c, y, x) -> image.at(c, y, x) + other.image.at(c, y, x)).held();
        }

        double mean(int channel) {
            return IntStream.range(0, size * size)
                    .mapToDouble(i -> image.at(channel, i / size, i % size))
                    .average()
                    .orElseThrow();
        }
    }

    /** The named weights and bias at every {@code stride}th pixel; beyond the edges there are zeros. */
    private static Grid convolved(Parameters parameters, String name, Grid in, int kernel, int stride) {
        double[] weight = parameters.get(name + ".weight").toDoubles();
        double[] bias = parameters.get(name + ".bias").toDoubles();
        return new Grid(bias.length, (in.size + stride - 1) / stride, (c, y, x) -> {
                    double sum = bias[c];
                    for (int i = 0; i < in.channels * kernel * kernel; i++) {
                        int row = y * stride + i / kernel % kernel - kernel / 2;
                        int column = x * stride + i % kernel - kernel / 2;
                        if (in.has(row, column)) {
                            sum += weight[c * in.channels * kernel * kernel + i]
                                    * in.image.at(i / kernel / kernel, row, column);
                        }
                    }
                    return sum;
                })
                .held();
    }

    /** The largest of the 3×3 pixels around every second one. */
    private static Grid pooled(Grid in) {
        return new Grid(in.channels, (in.size + 1) / 2, (c, y, x) -> {
                    double largest = Double.NEGATIVE_INFINITY;
                    for (int i = 0; i < 9; i++) {
                        int row = 2 * y + i / 3 - 1;
                        int column = 2 * x + i % 3 - 1;
                        if (in.has(row, column)) {
                            largest = Math.max(largest, in.image.at(c, row, column));
                        }
                    }
                    return largest;
                })
                .held();
    }

    private static double leaky(double x) {
        return Math.max(x, SLOPE * x);
    }

    /** x ← φ(W₂φ(W₁x + b₁) + b₂ + Sx). */
    private static Grid block(Parameters parameters, String name, Grid x, int stride, boolean skips) {
        Grid first = convolved(parameters, name + ".first", x, 3, stride).with(ResnetGoldenTest::leaky);
        Grid branch = convolved(parameters, name + ".second", first, 3, 1);
        return branch.plus(skips ? convolved(parameters, name + ".skip", x, 1, stride) : x)
                .with(ResnetGoldenTest::leaky);
    }

    private static double[] outputs(Parameters parameters, Stem stem, Grid image) {
        boolean wide = stem == Stem.IMAGENET;
        Grid first =
                convolved(parameters, "in", image, wide ? 7 : 3, wide ? 2 : 1).with(ResnetGoldenTest::leaky);
        Grid x = block(parameters, "block0", wide ? pooled(first) : first, 1, false);
        Grid top = block(parameters, "block1", x, 2, true);
        double[] weight = parameters.get("out.weight").toDoubles();
        double[] bias = parameters.get("out.bias").toDoubles();
        double[] outputs = bias.clone();
        for (int i = 0; i < weight.length; i++) {
            outputs[i / top.channels] += weight[i] * top.mean(i % top.channels);
        }
        return outputs;
    }

    /** 13 pixels become 7 and then 4 in the larger stem, and half of that, rounded up, in the second block. */
    @ParameterizedTest
    @CsvSource({"SMALL, 8", "SMALL, 13", "IMAGENET, 8", "IMAGENET, 13", "IMAGENET, 32"})
    void isItsFormula(Stem stem, int size) {
        Network network = new Resnet(
                ImageNetworks.CHANNELS,
                size,
                List.of(3, 4),
                1,
                ImageNetworks.OUTPUTS,
                Activation.LEAKY_RELU,
                SLOPE,
                stem);
        try (Scope scope = Scope.open();
                Parameters parameters = ImageNetworks.parameters(network, DType.DOUBLE)) {
            Tensor x = ImageNetworks.input(network, size, 2, DType.DOUBLE);
            double[] pixels = x.toDoubles();
            double[] found = network.apply(parameters, x).toDoubles();
            for (int sample = 0; sample < 2; sample++) {
                int from = sample * ImageNetworks.CHANNELS * size * size;
                double[] expected = outputs(
                        parameters,
                        stem,
                        new Grid(
                                ImageNetworks.CHANNELS,
                                size,
                                (c, row, column) -> pixels[from + (c * size + row) * size + column]));
                for (int k = 0; k < expected.length; k++) {
                    assertThat(found[sample * expected.length + k])
                            .isCloseTo(expected[k], within(TOLERANCE * (1 + Math.abs(expected[k]))));
                }
            }
        }
    }
}

package dev.kelvin.nn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kelvin.nn.conv.Norm;
import dev.kelvin.nn.conv.ShortRun;
import dev.kelvin.nn.conv.WideResnet;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Gradients;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The image networks' gradients in double against central differences.
 *
 * <p>Judged by the Euclidean norm over the numbers looked at. Leaky ReLUs have kinks: with some thousand of them a few
 * differences span one and are off by a small share of themselves.
 */
final class ImageNetworksGradientTest {
    private static final double STEP = 1e-6;
    private static final int SIZE = 8;

    static Stream<Arguments> networks() {
        return Stream.concat(
                smoothNetworks().map(network -> Arguments.of(network, 1e-6)),
                ImageNetworks.of(SIZE, Activation.LEAKY_RELU)
                        .filter(network -> !network.toString().contains("ImprovedCd")) // smooth in any case
                        .map(network -> Arguments.of(network, 1e-3)));
    }

    /** Those that have an activation without kinks, or can. */
    static Stream<Network> smoothNetworks() {
        return ImageNetworks.of(SIZE, Activation.SILU)
                .filter(network -> !network.toString().matches(".*(Igebm|WideResnet).*"));
    }

    /** Those whose gradient depends on x beyond the kinks; of the others group norm alone makes it. */
    static Stream<Arguments> curvedNetworks() {
        return Stream.concat(
                smoothNetworks().map(network -> Arguments.of(network, 1e-6)),
                Stream.of(Arguments.of(new WideResnet(ImageNetworks.CHANNELS, SIZE, 10, 1, Norm.GROUP, 3, 0.2), 1e-3)));
    }

    @ParameterizedTest
    @MethodSource("networks")
    void withRespectToTheInput(Network network, double tolerance) {
        try (Scope scope = Scope.open();
                Parameters parameters = ImageNetworks.parameters(network, DType.DOUBLE)) {
            Tensor x = ImageNetworks.input(network, SIZE, 2, DType.DOUBLE);
            double[] gradient =
                    network.outputAndInputGradient(parameters, x).gradient().toDoubles();
            List<Integer>
                    some = // 5 has no factor in common with the sizes: every row, column, channel and sample has its
                            // turn
                            Stream.iterate(0, i -> i < gradient.length, i -> i + 5)
                                    .toList();
            assertThat(error(
                            gradient,
                            x,
                            some,
                            () -> network.apply(parameters, x).sum().item()))
                    .isLessThan(tolerance);
        }
    }

    /** One number of every parameter tensor. What is not trained has the gradient 0, though the output depends on it. */
    @ParameterizedTest
    @MethodSource("networks")
    void withRespectToTheParameters(Network network, double tolerance) {
        try (Scope scope = Scope.open();
                Parameters parameters = ImageNetworks.parameters(network, DType.DOUBLE)) {
            Tensor x = ImageNetworks.input(network, SIZE, 2, DType.DOUBLE);
            Pullback pullback = network.pullback(parameters, x);
            Tensor weights = Tensors.normalLike(Key.of(3), 1, pullback.output());
            double[] gradient = pullback.gradient().apply(weights).toDoubles();
            assertThat(gradient).hasSize((int) network.layout().count());

            List<Integer> trained = new ArrayList<>();
            int offset = 0;
            for (Layout.Entry entry : network.layout().entries()) {
                int count = (int) entry.count();
                if (entry.trained()) {
                    trained.add(offset + count / 2);
                } else {
                    assertThat(gradient[offset + count / 2]).isEqualTo(0);
                }
                offset += count;
            }
            DoubleSupplier loss = () -> network.pullback(parameters, x)
                    .output()
                    .times(weights)
                    .sum()
                    .item();
            assertThat(error(gradient, parameters.flat(), trained, loss)).isLessThan(tolerance);
        }
    }

    /** Improved contrastive divergence differentiates through a Langevin step: the gradient of ‖∂f/∂x‖² in x. */
    @ParameterizedTest
    @MethodSource("curvedNetworks")
    void ofTheGradientItself(Network network, double tolerance) {
        try (Scope scope = Scope.open();
                Parameters parameters = ImageNetworks.parameters(network, DType.DOUBLE)) {
            Tensor x = ImageNetworks.input(network, SIZE, 1, DType.DOUBLE);
            Tensor leaf = x.asLeaf();
            Tensor slope = Gradients.withGraph(network.apply(parameters, leaf), leaf);
            double[] gradient = Gradients.of(slope.square().sum(), leaf).toDoubles();
            List<Integer> some = List.of(0, gradient.length / 2, gradient.length - 1);
            DoubleSupplier square =
                    () -> network.inputGradient(parameters, x).square().sum().item();
            assertThat(error(gradient, x, some, square)).isLessThan(tolerance);
        }
    }

    /** The same check on a gradient that is wrong in a thousandth of itself. */
    @Test
    void aSlightlyWrongGradientWouldBeSeen() {
        Network network = new ShortRun(1, SIZE, 2, 1, Activation.SILU, 0.2);
        try (Scope scope = Scope.open();
                Parameters parameters = ImageNetworks.parameters(network, DType.DOUBLE)) {
            Tensor x = Tensors.normal(Key.of(2), DType.DOUBLE, Device.CPU, 1, 1, SIZE, SIZE);
            double[] gradient = network.outputAndInputGradient(parameters, x)
                    .gradient()
                    .times(1.001)
                    .toDoubles();
            assertThat(error(
                            gradient,
                            x,
                            List.of(3, 20, 41),
                            () -> network.apply(parameters, x).sum().item()))
                    .isGreaterThan(1e-4);
        }
    }

    /** ‖gradient − differences‖/‖differences‖ over these numbers of {@code at}. */
    private static double error(double[] gradient, Tensor at, List<Integer> numbers, DoubleSupplier function) {
        double off = 0;
        double size = 0;
        for (int i : numbers) {
            try (Scope scope = Scope.open()) {
                Tensor number = at.reshape(-1).narrow(0, i, 1);
                number.addNumberInPlace(STEP);
                double above = function.getAsDouble();
                number.addNumberInPlace(-2 * STEP);
                double below = function.getAsDouble();
                number.addNumberInPlace(STEP);
                double difference = (above - below) / (2 * STEP);
                off += Math.pow(gradient[i] - difference, 2);
                size += Math.pow(difference, 2);
            }
        }
        assertThat(size).isGreaterThan(0);
        return Math.sqrt(off / size);
    }
}

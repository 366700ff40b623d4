package dev.kelvin.nn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.nn.conv.Norm;
import dev.kelvin.nn.conv.WideResnet;
import dev.kelvin.part.SettingException;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import dev.kelvin.tensor.TooLargeException;
import java.util.List;
import java.util.function.DoubleSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** f = −½‖h‖² of another network's outputs, and both ways back. */
final class SquaredNormTest {
    private static final int SIZE = 3;
    private static final Mlp INNER = new Mlp(4, List.of(6, 5), 2 * SIZE, Activation.SILU, 0);

    @Test
    void moreOutputsThanMemoryHoldsAreRefused() {
        SquaredNorm network = new SquaredNorm(INNER, Integer.MAX_VALUE);
        assertThatThrownBy(() -> network.shaped(List.of(2L), 10)).isInstanceOf(TooLargeException.class);
    }

    @Test
    void everyOutputIsHalfASquaredNorm() {
        SquaredNorm network = new SquaredNorm(INNER, SIZE);
        try (Scope scope = Scope.open();
                Parameters parameters = network.layout().init(Key.of(1), DType.DOUBLE)) {
            Tensor x = Tensors.normal(Key.of(2), DType.DOUBLE, Device.CPU, 7, 4);
            double[] h = INNER.apply(parameters, x).toDoubles();
            double[] f = network.apply(parameters, x).toDoubles();
            assertThat(network.apply(parameters, x).shape()).containsExactly(7, 2);
            for (int i = 0; i < f.length; i++) {
                double squares = 0;
                for (int j = 0; j < SIZE; j++) {
                    squares += h[SIZE * i + j] * h[SIZE * i + j];
                }
                assertThat(f[i]).isCloseTo(-0.5 * squares, within(1e-14)).isNegative();
            }
            assertThat(network.inTraining(parameters, x).toDoubles()).isEqualTo(f);
        }
    }

    /** With closed forms inside, and with automatic differentiation. */
    static Stream<Network> inner() {
        return Stream.of(INNER, new ResidualMlp(4, 5, 2, 2 * SIZE, Activation.TANH, 0.1));
    }

    @ParameterizedTest
    @MethodSource("inner")
    void bothWaysBackAreThoseOfDifferences(Network inner) {
        SquaredNorm network = new SquaredNorm(inner, SIZE);
        try (Scope scope = Scope.open();
                Parameters parameters = network.layout().init(Key.of(1), DType.DOUBLE)) {
            Tensor x = Tensors.normal(Key.of(2), DType.DOUBLE, Device.CPU, 5, 4);
            Tensor weights = Tensors.normal(Key.of(3), DType.DOUBLE, Device.CPU, 5, 2);
            assertThat(network.pullback(parameters, x).output().toDoubles())
                    .containsExactly(network.apply(parameters, x).toDoubles(), within(1e-14));
            double[] byInput = network.inputPullback(parameters, x)
                    .gradient()
                    .apply(weights)
                    .toDoubles();
            double[] byParameters =
                    network.pullback(parameters, x).gradient().apply(weights).toDoubles();
            check(byInput, x, () -> weighted(network, parameters, x, weights));
            check(byParameters, parameters.flat(), () -> weighted(network, parameters, x, weights));
            double[] summed = network.inputGradient(parameters, x).toDoubles();
            Tensor ones = Tensors.full(1, DType.DOUBLE, Device.CPU, 5, 2);
            assertThat(network.inputPullback(parameters, x)
                            .gradient()
                            .apply(ones)
                            .toDoubles())
                    .containsExactly(summed, within(1e-13));
        }
    }

    private static double weighted(Network network, Parameters parameters, Tensor x, Tensor weights) {
        return network.apply(parameters, x).times(weights).sum().item();
    }

    private static void check(double[] claimed, Tensor at, DoubleSupplier value) {
        double h = 1e-5;
        double wrong = 0;
        double length = 0;
        for (int i = 0; i < claimed.length; i++) {
            double up = shifted(at, i, h, value);
            double down = shifted(at, i, -h, value);
            wrong = Math.hypot(wrong, (up - down) / (2 * h) - claimed[i]);
            length = Math.hypot(length, claimed[i]);
        }
        assertThat(wrong / length).isLessThan(1e-7);
    }

    /** The value with coordinate i of a tensor shifted. */
    private static double shifted(Tensor at, int i, double by, DoubleSupplier value) {
        try (Scope scope = Scope.open()) {
            double[] shift = new double[(int) at.count()];
            shift[i] = by;
            Tensor before = at.copy();
            at.copyInPlace(at.plus(Tensors.of(shift, at.shape())));
            double found = value.getAsDouble();
            at.copyInPlace(before);
            return found;
        }
    }

    @Test
    void aClassHasItsOwnVector() {
        SquaredNorm network = new SquaredNorm(INNER, SIZE);
        try (Scope scope = Scope.open();
                Parameters parameters = network.layout().init(Key.of(1), DType.DOUBLE)) {
            Tensor x = Tensors.normal(Key.of(2), DType.DOUBLE, Device.CPU, 2, 4);
            double[] all = network.apply(parameters, x).toDoubles();
            assertThat(network.given(1, 0).apply(parameters, x).toDoubles()).containsExactly(all[1], all[2]);
        }
        assertThat(network.shaped(List.of(9L), 10)).isEqualTo(new SquaredNorm(INNER.shaped(List.of(9L), 30), 3));
        assertThat(network.words())
                .isEqualTo(
                        "a fully connected network with hidden layers of 6, 5 units, whose 3 outputs h give f = −½‖h‖²");
    }

    /** In bfloat16 the vector has three digits, and its squares are added in float: 128 of them don't add up to a rounding of their own. */
    @Test
    void squaresAreAddedInFloat() {
        Network inner = new WideResnet(1, 8, 10, 1, Norm.NONE, 128, 0.2);
        Network rounded = new Bfloat16(new SquaredNorm(inner, 128));
        try (Scope scope = Scope.open();
                Parameters parameters = inner.layout().init(Key.of(1), DType.FLOAT)) {
            Tensor x = Tensors.normal(Key.of(2), DType.FLOAT, Device.CPU, 4, 1, 8, 8);
            double[] h = new Bfloat16(inner).apply(parameters, x).toDoubles();
            double[] f = rounded.apply(parameters, x).toDoubles();
            for (int i = 0; i < 4; i++) {
                double squares = 0;
                for (int j = 0; j < 128; j++) {
                    squares += h[128 * i + j] * h[128 * i + j];
                }
                assertThat(f[i]).isCloseTo(-0.5 * squares, within(1e-6 * squares)); // bfloat16 would be 4e-3 of it
            }
        }
    }

    @Test
    void aVectorHasAnOutput() {
        assertThatThrownBy(() -> new SquaredNorm(INNER, 0))
                .isInstanceOf(SettingException.class)
                .hasMessage("size must be at least 1, found 0");
    }
}

package dev.kelvin.nn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.nn.conv.Igebm;
import dev.kelvin.nn.conv.ShortRun;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A network given the samples' classes is the outputs of those classes, value and both gradients. */
final class GivenTest {
    private static final long[] LABELS = {2, 0, 2, 1};
    private static final Igebm BLOCKS = new Igebm(ImageNetworks.CHANNELS, 8, List.of(3, 4), 1, 0.2, true);

    static Stream<Network> networks() {
        return Stream.concat(
                ImageNetworks.of(8, Activation.SILU).filter(network -> !ImageNetworks.makesImages(network)),
                Stream.of(new ClassGains(BLOCKS, 3)));
    }

    @ParameterizedTest
    @MethodSource("networks")
    void isTheOutputsOfTheClasses(Network network) {
        try (Scope scope = Scope.open();
                Parameters parameters = ImageNetworks.parameters(network, DType.DOUBLE)) {
            Tensor x = ImageNetworks.input(network, 8, LABELS.length, DType.DOUBLE);
            Network given = network.given(LABELS);
            Tensor chosen = new Labels(LABELS).oneHot(network.apply(parameters, x));
            Tensor expected = network.apply(parameters, x).times(chosen).sum(1L);
            assertThat(given.layout()).isEqualTo(network.layout());
            Tensor output = given.apply(parameters, x);
            assertThat(output.shape()).isEqualTo(new long[] {LABELS.length, 1});
            assertThat(output.toDoubles()).containsExactly(expected.toDoubles(), within(1e-10));

            assertThat(given.inputGradient(parameters, x).toDoubles())
                    .containsExactly(
                            network.inputPullback(parameters, x)
                                    .gradient()
                                    .apply(chosen)
                                    .toDoubles(),
                            within(1e-10));
            Tensor weights = Tensors.normalLike(Key.of(5), 1, output);
            Pullback all = network.pullback(parameters, x);
            assertThat(given.pullback(parameters, x).gradient().apply(weights).toDoubles())
                    .containsExactly(all.gradient().apply(chosen.times(weights)).toDoubles(), within(1e-9));
        }
    }

    /** The fully connected ones, which know their gradients in closed form. */
    @Test
    void fullyConnectedNetworksToo() {
        isTheOutputsOfTheClassesOfPoints(new Mlp(2, List.of(5, 4), 3, Activation.SILU, 0.2));
        isTheOutputsOfTheClassesOfPoints(new ResidualMlp(2, 5, 2, 3, Activation.SILU, 0.2));
    }

    private static void isTheOutputsOfTheClassesOfPoints(Network network) {
        try (Scope scope = Scope.open();
                Parameters parameters = ImageNetworks.parameters(network, DType.DOUBLE)) {
            Tensor x = Tensors.normal(Key.of(6), LABELS.length, 2).to(DType.DOUBLE);
            Tensor chosen = new Labels(LABELS).oneHot(network.apply(parameters, x));
            assertThat(network.given(LABELS).apply(parameters, x).toDoubles())
                    .containsExactly(
                            network.apply(parameters, x).times(chosen).sum(1L).toDoubles(), within(1e-12));
            assertThat(network.given(LABELS).inputGradient(parameters, x).toDoubles())
                    .containsExactly(
                            network.inputPullback(parameters, x)
                                    .gradient()
                                    .apply(chosen)
                                    .toDoubles(),
                            within(1e-12));
        }
    }

    /** At first all classes are the network without classes; then each goes its way. */
    @Test
    void gainsStartAsNothing() {
        ClassGains network = new ClassGains(BLOCKS, 3);
        try (Scope scope = Scope.open();
                Parameters plain = BLOCKS.layout().init(Key.of(1), DType.DOUBLE);
                Parameters parameters = network.layout().init(Key.of(1), DType.DOUBLE)) {
            Tensor x = ImageNetworks.input(network, 8, LABELS.length, DType.DOUBLE);
            double[] expected = BLOCKS.apply(plain, x).toDoubles();
            assertThat(network.given(LABELS).apply(parameters, x).toDoubles()).isEqualTo(expected);
            parameters.get("block1.first.class.bias").select(0, 0).addNumberInPlace(1);
            double[] moved = network.given(LABELS).apply(parameters, x).toDoubles();
            for (int i = 0; i < LABELS.length; i++) {
                assertThat(moved[i] != expected[i]).isEqualTo(LABELS[i] == 0);
            }
        }
    }

    @Test
    void bfloat16IsCloseBy() {
        ClassGains network = new ClassGains(BLOCKS, 3);
        try (Scope scope = Scope.open();
                Parameters parameters = ImageNetworks.parameters(network, DType.FLOAT)) {
            Tensor x = ImageNetworks.input(network, 8, LABELS.length, DType.FLOAT);
            Tensor exact = network.given(LABELS).apply(parameters, x);
            Network low = new Bfloat16(network);
            Tensor rounded = low.given(LABELS).apply(low.frozen(parameters), x);
            double share = rounded.minus(exact).norm().item() / exact.norm().item();
            assertThat(share).isBetween(1e-6, 0.1); // three digits, through a dozen layers
        }
    }

    @Test
    void aLabelForEachSampleAndOneOutput() {
        Network network = new ShortRun(2, 8, 2, 3, Activation.SILU, 0.2);
        try (Scope scope = Scope.open();
                Parameters parameters = network.layout().init(Key.of(1), DType.FLOAT)) {
            Tensor x = Tensors.normal(Key.of(2), 3, 2, 8, 8);
            assertThatThrownBy(() -> network.given(LABELS).apply(parameters, x))
                    .hasMessageContaining("there are 4 labels for the samples");
        }
        Igebm two = new Igebm(2, 8, List.of(3), 2, 0.2, true);
        assertThatThrownBy(() -> new ClassGains(two, 3)).hasMessageContaining("has one output, found 2");
        assertThatThrownBy(() -> new ClassGains(BLOCKS, 1)).hasMessageContaining("classes must be at least 2");
    }
}

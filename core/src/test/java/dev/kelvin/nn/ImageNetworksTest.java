package dev.kelvin.nn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.nn.conv.Generator;
import dev.kelvin.nn.conv.Igebm;
import dev.kelvin.nn.conv.ImprovedCd;
import dev.kelvin.nn.conv.Norm;
import dev.kelvin.nn.conv.Resnet;
import dev.kelvin.nn.conv.ShortRun;
import dev.kelvin.nn.conv.Stem;
import dev.kelvin.nn.conv.WideResnet;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Layouts;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

/** What holds for every image network: shapes, purity, memory formats, descriptions as JSON and refusals. */
final class ImageNetworksTest {

    static Stream<Network> networks() {
        return ImageNetworks.of(8, Activation.LEAKY_RELU);
    }

    static Stream<Arguments> sizes() {
        return Stream.of(8, 28, 32, 64)
                .flatMap(size ->
                        ImageNetworks.of(size, Activation.LEAKY_RELU).map(network -> Arguments.of(network, size)));
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void outputsAtEverySize(Network network, int size) {
        try (Scope scope = Scope.open();
                Parameters parameters = network.layout().init(Key.of(1), DType.FLOAT)) {
            Tensor output = network.apply(parameters, ImageNetworks.input(network, size, 2, DType.FLOAT));
            assertThat(output.shape())
                    .isEqualTo(
                            ImageNetworks.makesImages(network)
                                    ? new long[] {2, ImageNetworks.CHANNELS, size, size}
                                    : new long[] {2, ImageNetworks.OUTPUTS});
            assertThat(output.allFinite()).isTrue();
            assertThat(output.minus(output.mean()).norm().item()).isGreaterThan(1e-6);
        }
    }

    /** Half of an odd size is rounded down, until 4 to 7 pixels are left. */
    @ParameterizedTest
    @ValueSource(ints = {4, 7, 9, 30, 33, 63})
    void shortRunTakesAnySize(int size) {
        Network network = new ShortRun(1, size, 2, 3, Activation.LEAKY_RELU, 0.2);
        try (Scope scope = Scope.open();
                Parameters parameters = network.layout().init(Key.of(1), DType.FLOAT)) {
            assertThat(network.apply(parameters, Tensors.normal(Key.of(2), 2, 1, size, size))
                            .shape())
                    .isEqualTo(new long[] {2, 3});
        }
    }

    /** Who says that rows are computed alone, in training, is asked about one; a wrapper says what the inner one says. */
    @ParameterizedTest
    @MethodSource("networks")
    void rowsAreAloneWhereTheyAreSaidToBe(Network network) {
        try (Scope scope = Scope.open();
                Parameters parameters = ImageNetworks.parameters(network, DType.DOUBLE)) {
            Tensor x = ImageNetworks.input(network, 8, 4, DType.DOUBLE);
            Tensor together = network.inTraining(parameters, x).narrow(0, 0, 1);
            Tensor alone = network.inTraining(parameters, x.narrow(0, 0, 1));
            double apart = together.minus(alone).abs().max().item();
            if (network.rowsAlone()) {
                assertThat(apart).isLessThan(1e-10);
            } else {
                assertThat(apart).isGreaterThan(1e-3);
            }
        }
        assertThat(new Bfloat16(network).rowsAlone()).isEqualTo(network.rowsAlone());
        assertThat(network.given(0, 1).rowsAlone()).isEqualTo(network.rowsAlone());
    }

    /** What is made of the parameters once for many calls changes nothing. */
    @ParameterizedTest
    @MethodSource("networks")
    void frozenParametersGiveTheSame(Network network) {
        try (Scope scope = Scope.open();
                Parameters parameters = ImageNetworks.parameters(network, DType.FLOAT)) {
            Tensor x = ImageNetworks.input(network, 8, 2, DType.FLOAT);
            assertThat(network.apply(network.frozen(parameters), x).toFloats())
                    .isEqualTo(network.apply(parameters, x).toFloats());
        }
    }

    /** All three towers, at the smallest size that fits them. */
    @Test
    void threeTowersOnEightPixels() {
        Network network = new ImprovedCd(1, 8, 4, 2, List.of(4, 3, 2), 1);
        try (Scope scope = Scope.open();
                Parameters parameters = ImageNetworks.parameters(network, DType.FLOAT)) {
            Tensor x = Tensors.normal(Key.of(2), 2, 1, 8, 8);
            Tensor sum = network.apply(parameters, x);
            assertThat(sum.shape()).isEqualTo(new long[] {2, 1});
            parameters.get("tower2.out.bias").addNumberInPlace(3);
            Tensor more = network.apply(parameters, x).minus(sum);
            assertThat(more.toDoubles()).containsExactly(new double[] {3, 3}, within(1e-5));
        }
    }

    @ParameterizedTest
    @MethodSource("networks")
    void equalKeysGiveEqualNumbers(Network network) {
        try (Scope scope = Scope.open();
                Parameters one = network.layout().init(Key.of(1), DType.FLOAT);
                Parameters same = network.layout().init(Key.of(1), DType.FLOAT);
                Parameters other = network.layout().init(Key.of(2), DType.FLOAT)) {
            Tensor x = ImageNetworks.input(network, 8, 3, DType.FLOAT);
            float[] output = network.apply(one, x).toFloats();
            assertThat(network.apply(same, x).toFloats()).isEqualTo(output);
            assertThat(network.apply(other, x).toFloats()).isNotEqualTo(output);
        }
    }

    /** Activations write over their input: never over the network's, nor over its parameters. */
    @ParameterizedTest
    @MethodSource("networks")
    void changesNeitherItsInputNorItsParameters(Network network) {
        try (Scope scope = Scope.open();
                Parameters parameters = ImageNetworks.parameters(network, DType.FLOAT)) {
            Tensor x = ImageNetworks.input(network, 8, 3, DType.FLOAT);
            float[] input = x.toFloats();
            float[] flat = parameters.flat().toFloats();
            network.apply(parameters, x);
            network.outputAndInputGradient(parameters, x);
            Pullback pullback = network.pullback(parameters, x);
            assertThat(pullback.gradient()
                            .apply(Tensors.zerosLike(pullback.output()))
                            .norm()
                            .item())
                    .isEqualTo(0);
            assertThat(x.toFloats()).isEqualTo(input);
            assertThat(parameters.flat().toFloats()).isEqualTo(flat);
        }
    }

    @ParameterizedTest
    @MethodSource("networks")
    void aSampleDoesNotDependOnTheOthers(Network network) {
        try (Scope scope = Scope.open();
                Parameters parameters = ImageNetworks.parameters(network, DType.DOUBLE)) {
            Tensor x = ImageNetworks.input(network, 8, 3, DType.DOUBLE);
            Tensor together = network.apply(parameters, x).narrow(0, 1, 1);
            Tensor alone = network.apply(parameters, x.narrow(0, 1, 1));
            assertThat(alone.minus(together).norm().item())
                    .isLessThan(1e-12 * (1 + together.norm().item()));
        }
    }

    @ParameterizedTest
    @MethodSource("networks")
    void channelsLastGivesTheSame(Network network) {
        if (ImageNetworks.makesImages(network)) {
            return; // it takes vectors
        }
        try (Scope scope = Scope.open();
                Parameters parameters = ImageNetworks.parameters(network, DType.FLOAT)) {
            Tensor x = ImageNetworks.input(network, 8, 3, DType.FLOAT);
            OutputAndGradient plain = network.outputAndInputGradient(parameters, x);
            Tensor turned = x.channelsLast();
            assertThat(Layouts.isChannelsLast(turned)).isTrue();
            OutputAndGradient last = network.outputAndInputGradient(parameters, turned);
            assertClose(last.output(), plain.output());
            assertClose(last.gradient(), plain.gradient());
        }
    }

    private static void assertClose(Tensor found, Tensor expected) {
        double scale = 1 + expected.abs().max().item();
        assertThat(found.minus(expected).abs().max().item()).isLessThan(1e-5 * scale);
    }

    @ParameterizedTest
    @MethodSource("networks")
    void isDataThatJsonCarries(Network network) {
        JsonMapper json = new JsonMapper();
        String text = json.writerFor(Network.class).writeValueAsString(network);
        assertThat(json.readValue(text, Network.class)).isEqualTo(network);
    }

    @ParameterizedTest
    @MethodSource("networks")
    void refusesOtherImages(Network network) {
        if (ImageNetworks.makesImages(network)) {
            return; // its refusal is tested with its other ones
        }
        try (Scope scope = Scope.open();
                Parameters parameters = network.layout().init(Key.of(1), DType.FLOAT)) {
            Tensor larger = ImageNetworks.input(network, 16, 3, DType.FLOAT);
            assertThatThrownBy(() -> network.apply(parameters, larger))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("the network takes images [n, 2, 8, 8], found " + larger
                            + "; set its channels and size to the data's");
        }
    }

    @Test
    void saysWhichSizeDoesNotFit() {
        assertRefused(() -> new ShortRun(1, 3, 4, 1, Activation.LEAKY_RELU, 0.2), "size must be at least 4, found 3");
        assertRefused(
                () -> new Igebm(1, 7, List.of(4, 4, 4), 1, 0.2, true),
                "size must be at least 8, because this network halves images 3 times, found 7");
        assertRefused(() -> new WideResnet(1, 3, 10, 1, Norm.NONE, 1, 0.2), "size must be at least 4");
        assertRefused(
                () -> new Resnet(1, 1, List.of(4, 4), 1, 1, Activation.LEAKY_RELU, 0.2), "size must be at least 2");
        assertRefused(
                () -> new Resnet(3, 28, List.of(64, 128, 256, 512), 2, 1, Activation.LEAKY_RELU, 0.2, Stem.IMAGENET),
                "size must be at least 32, because this network halves images 5 times, found 28");
        assertRefused(() -> new ImprovedCd(1, 7, 4, 2, List.of(4, 3, 2), 1), "size must be at least 8");
        assertRefused(
                () -> new Generator(2, List.of(8, 4, 2), 1, 28, Activation.LEAKY_RELU, 0.2),
                "size must be a multiple of 8, because 3 widths double the image as often, found 28");
    }

    @Test
    void saysWhichSettingDoesNotFit() {
        assertRefused(
                () -> new WideResnet(1, 8, 27, 1, Norm.NONE, 1, 0.2),
                "depth must be 10, 16, 22, 28 or another 6n + 4, found 27");
        assertRefused(
                () -> new ImprovedCd(1, 8, 6, 4, List.of(2), 1), "groups must divide filters, which is 6, found 4");
        assertRefused(() -> new ImprovedCd(1, 8, 4, 4, List.of(1), 1), "pairs.0 must be at least 2, found 1");
        assertRefused(() -> new Igebm(1, 8, List.of(), 1, 0.2, true), "widths must not be empty");
        assertRefused(
                () -> new Resnet(1, 8, List.of(4, 0), 1, 1, Activation.LEAKY_RELU, 0.2),
                "widths.1 must be at least 1, found 0");
        assertRefused(
                () -> new ShortRun(0, 8, 4, 1, Activation.LEAKY_RELU, 0.2), "channels must be at least 1, found 0");
        Generator generator = new Generator(2, List.of(4), 1, 8, Activation.LEAKY_RELU, 0.2);
        try (Scope scope = Scope.open();
                Parameters parameters = generator.layout().init(Key.of(1), DType.FLOAT)) {
            Tensor z = Tensors.normal(Key.of(2), 4, 3);
            assertThatThrownBy(() -> generator.apply(parameters, z))
                    .hasMessage("the generator takes [n, 2], found " + z);
        }
    }

    private static void assertRefused(Supplier<Network> network, String message) {
        assertThatThrownBy(network::get)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(message);
    }
}

package dev.kelvin.nn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kelvin.part.SettingException;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ParametersTest {
    private static final Mlp RINGS = new Mlp(2, List.of(32, 64, 64, 64), 1, Activation.LEAKY_RELU, 0.05);

    @Test
    void layoutOfTheRingsNetwork() {
        Layout layout = RINGS.layout();
        assertThat(layout.count()).isEqualTo(10_593);
        assertThat(layout.entries().stream().map(Layout.Entry::name))
                .containsExactly(
                        "layer0.weight",
                        "layer0.bias",
                        "layer1.weight",
                        "layer1.bias",
                        "layer2.weight",
                        "layer2.bias",
                        "layer3.weight",
                        "layer3.bias",
                        "layer4.weight",
                        "layer4.bias");
        assertThat(layout.entries().stream().map(Layout.Entry::shape))
                .startsWith(List.of(32L, 2L), List.of(32L), List.of(64L, 32L))
                .endsWith(List.of(1L, 64L), List.of(1L));
    }

    @Test
    void layoutOfAResidualNetwork() {
        Layout layout = new ResidualMlp(2, 8, 2, 1, Activation.SILU, 0.05).layout();
        assertThat(layout.count()).isEqualTo(2 * 8 + 8 + 2 * 2 * (8 * 8 + 8) + 8 + 1);
        assertThat(layout.entries().get(2).name()).isEqualTo("block0.first.weight");
    }

    @Test
    void viewsShareTheVectorsMemoryInTheLayoutsOrder() {
        try (Scope scope = Scope.open();
                Parameters parameters = RINGS.layout().init(Key.of(1), DType.FLOAT)) {
            float[] flat = parameters.flat().toFloats();
            int offset = 0;
            for (Layout.Entry entry : RINGS.layout().entries()) {
                Tensor view = parameters.get(entry.name());
                int count = (int) entry.count();
                assertThat(view.shape())
                        .isEqualTo(entry.shape().stream()
                                .mapToLong(Long::longValue)
                                .toArray());
                assertThat(view.toFloats()).isEqualTo(Arrays.copyOfRange(flat, offset, offset + count));
                offset += count;
            }
            assertThat(offset).isEqualTo(10_593);
            parameters.flat().timesInPlace(0).addNumberInPlace(3);
            assertThat(parameters.get("layer4.bias").item()).isEqualTo(3);
            parameters.get("layer0.weight").timesInPlace(2);
            assertThat(parameters.flat().toFloats()).startsWith(6, 6).endsWith(3, 3);
            assertThat(parameters.flat().narrow(0, 63, 2).toFloats()).containsExactly(6, 3);
        }
    }

    @Test
    void copiesHaveMemoryOfTheirOwn() {
        try (Parameters parameters = RINGS.layout().init(Key.of(1), DType.FLOAT);
                Parameters copy = parameters.copy();
                Parameters other = parameters.to(Device.CPU)) {
            parameters.flat().timesInPlace(0);
            assertThat(parameters.get("layer0.bias").norm().item()).isZero();
            assertThat(copy.get("layer0.bias").toFloats())
                    .doesNotContain(0)
                    .isEqualTo(other.get("layer0.bias").toFloats());
        }
    }

    @Test
    void parametersOutliveTheScopeThatTheyWereMadeInAndDieWhenClosed() {
        Parameters parameters;
        try (Scope scope = Scope.open()) {
            parameters = RINGS.layout().init(Key.of(1), DType.FLOAT);
        }
        Tensor view = parameters.get("layer0.weight");
        Tensor flat = parameters.flat();
        assertThat(view.count()).isEqualTo(64);
        parameters.close();
        parameters.close();
        for (Tensor freed : List.of(view, flat)) {
            assertThatThrownBy(freed::count)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("freed");
        }
    }

    @Test
    void aVectorOfTheWrongLengthIsRefused() {
        try (Scope scope = Scope.open()) {
            Tensor wrong = Tensors.of(new float[7]);
            assertThatThrownBy(() -> new Parameters(RINGS.layout(), wrong))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("this network has 10593 parameters, the vector is FLOAT[7] on cpu");
        }
    }

    @Test
    void anUnknownNameIsAnsweredWithTheKnownOnes() {
        try (Parameters parameters =
                new Mlp(1, List.of(1), 1, Activation.TANH, 0.05).layout().init(Key.of(1), DType.FLOAT)) {
            assertThatThrownBy(() -> parameters.get("layer2.weight"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("there is no parameter 'layer2.weight'"
                            + " (there are [layer0.weight, layer0.bias, layer1.weight, layer1.bias])");
        }
    }

    // ---- first values

    @Test
    void theSameKeyGivesTheSameFirstValues() {
        try (Parameters one = RINGS.layout().init(Key.of(1), DType.FLOAT);
                Parameters same = RINGS.layout().init(Key.of(1), DType.FLOAT);
                Parameters other = RINGS.layout().init(Key.of(2), DType.FLOAT)) {
            assertThat(one.flat().toFloats())
                    .isEqualTo(same.flat().toFloats())
                    .isNotEqualTo(other.flat().toFloats());
        }
    }

    @Test
    void anotherLayerDoesNotChangeTheFirstValuesOfThoseBeforeIt() {
        try (Parameters shallow = new Mlp(2, List.of(8), 8, Activation.TANH, 0.05)
                        .layout()
                        .init(Key.of(1), DType.FLOAT);
                Parameters deep = new Mlp(2, List.of(8, 8), 8, Activation.TANH, 0.05)
                        .layout()
                        .init(Key.of(1), DType.FLOAT)) {
            int count = (int) shallow.layout().count();
            assertThat(Arrays.copyOf(deep.flat().toFloats(), count))
                    .isEqualTo(shallow.flat().toFloats());
        }
    }

    /** Checks mean and variance of uniform numbers on ±bound; z = 5 has alpha = 5.7e-7, and there are 20 checks. */
    @Test
    void linearLayersStartUniformlyWithinTheirFanIn() {
        double z = 5;
        Mlp wide = new Mlp(100, List.of(200, 300, 50, 400), 250, Activation.TANH, 0.05);
        try (Parameters parameters = wide.layout().init(Key.of(1), DType.DOUBLE)) {
            int inputs = 100;
            for (int layer = 0; layer < 5; layer++) {
                double bound = 1 / Math.sqrt(inputs);
                for (String part : List.of(".weight", ".bias")) {
                    double[] u = parameters.get("layer" + layer + part).toDoubles();
                    assertThat(Arrays.stream(u).map(Math::abs).max().orElseThrow())
                            .isBetween(0.8 * bound, bound); // P(all 50 or more below) < 0.8^50 = 1.4e-5
                    double variance = bound * bound / 3;
                    // for a uniform u, var(u²) = bound⁴ (1/5 − 1/9) = 4/45 bound⁴
                    double mean = Arrays.stream(u).average().orElseThrow();
                    double second = Arrays.stream(u).map(v -> v * v).average().orElseThrow();
                    assertThat(Math.abs(mean)).isLessThan(z * Math.sqrt(variance / u.length));
                    assertThat(Math.abs(second - variance))
                            .isLessThan(z * bound * bound * Math.sqrt(4.0 / 45 / u.length));
                }
                inputs = layer < 4 ? wide.hidden().get(layer) : 0;
            }
        }
    }

    /** Variances of 40 000 numbers: z = 5 has alpha = 5.7e-7, and there is 1 check. */
    @Test
    void initialisationsHaveTheirVariances() {
        int n = 40_000;
        try (Scope scope = Scope.open()) {
            // the relative variance of u² for a uniform u is (1/5 − 1/9) · 9 = 4/5
            double fanIn = variance(Initialisation.fanIn(50), n);
            assertThat(fanIn / (1.0 / 150)).isBetween(1 - 5 * Math.sqrt(0.8 / n), 1 + 5 * Math.sqrt(0.8 / n));
            assertThat(variance(Initialisation.zeros(), n)).isZero();
            assertThat(new Initialisation.Constant(0.5)
                            .draw(Key.of(1), DType.FLOAT, 2, 2)
                            .toFloats())
                    .containsExactly(0.5f, 0.5f, 0.5f, 0.5f);
        }
    }

    private static double variance(Initialisation initialisation, long count) {
        return initialisation
                .draw(Key.of(1), DType.DOUBLE, count)
                .square()
                .mean()
                .item();
    }

    @Test
    void wrongSettingsAreNamed() {
        assertThatThrownBy(() -> new Mlp(0, List.of(3), 1, Activation.TANH, 0.05))
                .isInstanceOf(SettingException.class)
                .hasMessage("inputs must be at least 1, found 0");
        assertThatThrownBy(() -> new Mlp(1, List.of(3, 0), 1, Activation.TANH, 0.05))
                .hasMessage("hidden.1 must be at least 1, found 0");
        assertThatThrownBy(() -> new ResidualMlp(1, 1, 0, 1, Activation.TANH, 0.05))
                .hasMessage("blocks must be at least 1, found 0");
        assertThatThrownBy(() -> new Mlp(1, List.of(3), 1, Activation.TANH, 1.5))
                .hasMessage("slope must lie between 0 and 1, found 1.5");
        assertThatThrownBy(() -> new Initialisation.Normal(Double.NaN)).isInstanceOf(SettingException.class);
    }
}

package dev.kelvin.nn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.energy.EnergyModel;
import dev.kelvin.energy.ValueAndGradient;
import dev.kelvin.nn.conv.ShortRun;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChannelsLastTest {
    private static final ShortRun NETWORK = new ShortRun(3, 8, 8, 1, Activation.LEAKY_RELU, 0.2);

    @Test
    void agreesWithChannelsFirst() {
        try (Scope scope = Scope.open();
                Parameters parameters = NETWORK.layout().init(Key.of(1), DType.DOUBLE)) {
            Tensor x = Tensors.normal(Key.of(2), DType.DOUBLE, Device.CPU, 6, 3, 8, 8);
            ValueAndGradient last = EnergyModel.plain(new ChannelsLast(NETWORK))
                    .density(parameters)
                    .valueAndGradient(x);
            ValueAndGradient first =
                    EnergyModel.plain(NETWORK).density(parameters).valueAndGradient(x);
            assertThat(last.value().toDoubles()).containsExactly(first.value().toDoubles(), within(1e-10));
            assertThat(last.gradient().toDoubles())
                    .containsExactly(first.gradient().toDoubles(), within(1e-10));
            Tensor weights = Tensors.full(1, DType.DOUBLE, Device.CPU, 6, 1);
            assertThat(new ChannelsLast(NETWORK)
                            .pullback(parameters, x)
                            .gradient()
                            .apply(weights)
                            .toDoubles())
                    .containsExactly(
                            NETWORK.pullback(parameters, x)
                                    .gradient()
                                    .apply(weights)
                                    .toDoubles(),
                            within(1e-10));
        }
    }

    /** A network that looks at how its input lies in memory. */
    @Test
    void theInnerNetworkSeesChannelsLast() {
        Network looks = new Network() {
            @Override
            public Layout layout() {
                return NETWORK.layout();
            }

            @Override
            public Network shaped(List<Long> shape, int outputs) {
                return this;
            }

            @Override
            public Tensor apply(Parameters parameters, Tensor input) {
                input.memory(0, 1); // refused where the channels do not come first
                return input;
            }
        };
        try (Scope scope = Scope.open();
                Parameters parameters = NETWORK.layout().init(Key.of(1), DType.FLOAT)) {
            Tensor x = Tensors.normal(Key.of(2), DType.FLOAT, Device.CPU, 6, 3, 8, 8);
            looks.apply(parameters, x);
            assertThatIllegalStateException()
                    .isThrownBy(() -> new ChannelsLast(looks).apply(parameters, x))
                    .withMessageContaining("contiguous");
        }
    }
}

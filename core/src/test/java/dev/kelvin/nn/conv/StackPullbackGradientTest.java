package dev.kelvin.nn.conv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.nn.Layout;
import dev.kelvin.nn.Network;
import dev.kelvin.nn.Parameters;
import dev.kelvin.nn.Pullback;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.InScope;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The written-out ways back of a wide ResNet, which GPUs take, against automatic differentiation, in double. */
@ExtendWith(InScope.class)
final class StackPullbackGradientTest {
    private static final int SAMPLES = 3;
    private static final int OUTPUTS = 4;

    /** Two blocks a stage, so that there are blocks with a skip and without one, and an odd size that is halved. */
    private final WideResnet network = new WideResnet(3, 9, 16, 1, Norm.NONE, OUTPUTS, 0.2);

    private final Parameters parameters = network.layout().init(Key.of(1), DType.DOUBLE);
    private final Tensor x = normal(2, SAMPLES, 3, 9, 9);
    private final Tensor weights = normal(3, SAMPLES, OUTPUTS);

    private static Tensor normal(long seed, long... shape) {
        return Tensors.normal(Key.of(seed), DType.DOUBLE, Device.CPU, shape);
    }

    /** The network with what every network has, and nothing written out. */
    private record Differentiated(WideResnet inner) implements Network {
        @Override
        public Layout layout() {
            return inner.layout();
        }

        @Override
        public Tensor apply(Parameters parameters, Tensor input) {
            return inner.apply(parameters, input);
        }
    }

    private void agree(Function<Network, Pullback> way, Pullback found) {
        Pullback expected = way.apply(new Differentiated(network));
        assertThat(found.output().toDoubles()).containsExactly(expected.output().toDoubles(), within(1e-12));
        assertThat(found.gradient().apply(weights).toDoubles())
                .containsExactly(expected.gradient().apply(weights).toDoubles(), within(1e-11));
    }

    @Test
    void toTheInput() {
        agree(
                plain -> plain.inputPullback(parameters, x),
                network.passes(parameters, x).toInput());
    }

    @Test
    void toTheParameters() {
        agree(
                plain -> plain.pullback(parameters, x),
                network.passes(parameters, x).toParameters());
    }
}

package dev.kelvin.nn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kelvin.energy.EnergyModel;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.energy.ValueAndGradient;
import dev.kelvin.nn.conv.ShortRun;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import org.junit.jupiter.api.Test;

class Bfloat16Test {
    private static final ShortRun NETWORK = new ShortRun(1, 8, 8, 1, Activation.LEAKY_RELU, 0.2);

    @Test
    void agreesWithFloatWithinItsRounding() {
        try (Scope scope = Scope.open();
                Parameters parameters = NETWORK.layout().init(Key.of(1), DType.FLOAT)) {
            Tensor x = Tensors.normal(Key.of(2), DType.FLOAT, Device.CPU, 6, 1, 8, 8);
            Network low = new Bfloat16(NETWORK);
            LogDensity density = EnergyModel.plain(low).density(parameters);
            ValueAndGradient rounded = density.valueAndGradient(x);
            ValueAndGradient exact =
                    EnergyModel.plain(NETWORK).density(parameters).valueAndGradient(x);
            assertThat(rounded.value().dtype()).isEqualTo(DType.FLOAT);
            assertThat(rounded.gradient().dtype()).isEqualTo(DType.FLOAT);
            assertClose(rounded.value(), exact.value(), 0.2); // f is a small difference of large sums
            assertClose(rounded.gradient(), exact.gradient(), 0.1);
            assertThat(density.at(x).toFloats())
                    .isEqualTo(low.apply(parameters, x).toFloats());

            Pullback lowPull = low.pullback(parameters, x);
            Pullback pull = NETWORK.pullback(parameters, x);
            Tensor weights = Tensors.full(1, DType.FLOAT, Device.CPU, 6, 1);
            Tensor gradient = lowPull.gradient().apply(weights);
            assertThat(gradient.dtype()).isEqualTo(DType.FLOAT);
            assertClose(gradient, pull.gradient().apply(weights), 0.1);
        }
    }

    /** Within a share of the largest, and not to the bit: the rounding is there. */
    private static void assertClose(Tensor rounded, Tensor exact, double share) {
        double scale = exact.abs().max().item();
        double error = rounded.minus(exact).abs().max().item();
        assertThat(error).isGreaterThan(0).isLessThan(share * scale);
    }
}

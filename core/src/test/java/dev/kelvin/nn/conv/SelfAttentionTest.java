package dev.kelvin.nn.conv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.nn.Layout;
import dev.kelvin.nn.Parameters;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import org.junit.jupiter.api.Test;

final class SelfAttentionTest {
    private static final int CHANNELS = 4;
    private static final int SIDE = 3;
    private static final int PIXELS = SIDE * SIDE;

    /** xᵢ + γ Σⱼ softmaxⱼ(qᵢ·kⱼ) vⱼ with loops. */
    @Test
    void agreesWithItsEquation() {
        SelfAttention attention = new SelfAttention("attention", CHANNELS);
        Layout.Builder builder = new Layout.Builder();
        attention.addTo(builder);
        try (Scope scope = Scope.open();
                Parameters parameters = builder.build().init(Key.of(1), DType.DOUBLE)) {
            Tensor x = Tensors.normal(Key.of(2), DType.DOUBLE, Device.CPU, 1, CHANNELS, SIDE, SIDE);
            assertThat(attention.apply(parameters, x).toDoubles()).isEqualTo(x.toDoubles()); // the gain starts at 0
            parameters.get("attention.gain").addNumberInPlace(0.7);

            double[][] query = projected(parameters, "query", x);
            double[][] key = projected(parameters, "key", x);
            double[][] value = projected(parameters, "value", x);
            double[] expected = x.toDoubles();
            for (int i = 0; i < PIXELS; i++) {
                double[] weights = new double[PIXELS];
                double total = 0;
                for (int j = 0; j < PIXELS; j++) {
                    weights[j] = Math.exp(query[0][i] * key[0][j]);
                    total += weights[j];
                }
                for (int c = 0; c < CHANNELS; c++) {
                    for (int j = 0; j < PIXELS; j++) {
                        expected[c * PIXELS + i] += 0.7 * weights[j] / total * value[c][j];
                    }
                }
            }
            assertThat(attention.apply(parameters, x).toDoubles()).containsExactly(expected, within(1e-12));
        }
    }

    /** Numbers [outputs][pixels] of a pixelwise projection. */
    private static double[][] projected(Parameters parameters, String which, Tensor x) {
        double[] weights = parameters.get("attention." + which + ".weight").toDoubles();
        double[] bias = parameters.get("attention." + which + ".bias").toDoubles();
        double[] pixels = x.toDoubles();
        double[][] projected = new double[bias.length][PIXELS];
        for (int o = 0; o < bias.length; o++) {
            for (int i = 0; i < PIXELS; i++) {
                projected[o][i] = bias[o];
                for (int c = 0; c < CHANNELS; c++) {
                    projected[o][i] += weights[o * CHANNELS + c] * pixels[c * PIXELS + i];
                }
            }
        }
        return projected;
    }
}

package dev.kelvin.nn.conv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.nn.Activation;
import dev.kelvin.nn.Parameters;
import dev.kelvin.part.SettingException;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ResidualGeneratorTest {
    private static ResidualGenerator of(Norm norm) {
        return new ResidualGenerator(3, List.of(4, 2), 1, 8, norm, Activation.RELU, 0.2);
    }

    /** A new pixel's centre lies between those of old ones; beyond the edge goes on what is at it. */
    @Test
    void doublesByInterpolation() {
        int height = 3;
        int width = 2;
        try (Scope scope = Scope.open()) {
            Tensor x = Tensors.normal(Key.of(1), DType.DOUBLE, Device.CPU, 2, 1, height, width);
            double[] old = x.toDoubles();
            double[] found = ResidualGenerator.doubled(x).toDoubles();
            int at = 0;
            for (int n = 0; n < 2; n++) {
                for (int i = 0; i < 2 * height; i++) {
                    for (int j = 0; j < 2 * width; j++) {
                        double y = Math.min(height - 1.0, Math.max(0, (i + 0.5) / 2 - 0.5));
                        double z = Math.min(width - 1.0, Math.max(0, (j + 0.5) / 2 - 0.5));
                        int top = (int) y;
                        int left = (int) z;
                        double expected = 0;
                        for (int a = 0; a < 2; a++) {
                            for (int b = 0; b < 2; b++) {
                                int row = Math.min(height - 1, top + a);
                                int column = Math.min(width - 1, left + b);
                                double weight = Math.abs(1 - a - (y - top)) * Math.abs(1 - b - (z - left));
                                expected += weight * old[(n * height + row) * width + column];
                            }
                        }
                        assertThat(found[at++]).isCloseTo(expected, within(1e-12));
                    }
                }
            }
            assertThat(found).hasSize(at);
        }
    }

    /** In training a batch's own mean and variance, afterwards the running ones, to which they come when nothing else moves. */
    @Test
    void batchNormLooksAtTheBatchInTrainingAlone() {
        ResidualGenerator generator = of(Norm.BATCH);
        try (Scope scope = Scope.open();
                Parameters parameters = generator.layout().init(Key.of(1), DType.DOUBLE)) {
            Tensor z = Tensors.normal(Key.of(2), DType.DOUBLE, Device.CPU, 400, 3);
            double[] alone = generator.apply(parameters, z.narrow(0, 0, 1)).toDoubles();
            assertThat(generator.apply(parameters, z).narrow(0, 0, 1).toDoubles())
                    .containsExactly(alone, within(1e-12));
            double[] trained = generator.inTraining(parameters, z).toDoubles();
            assertThat(generator.apply(parameters, z).toDoubles()).isNotEqualTo(trained);
            for (int i = 0; i < 300; i++) {
                generator.advance(parameters, z);
            }
            // the running variance is unbiased: 400·16 numbers of a channel at the least
            assertThat(generator.apply(parameters, z).toDoubles()).containsExactly(trained, within(1e-2));
        }
    }

    @Test
    void isMadeForTheDatasImages() {
        ResidualGenerator made = of(Norm.NONE).of(7, List.of(3L, 32L, 32L));
        assertThat(made.latent()).isEqualTo(7);
        try (Scope scope = Scope.open();
                Parameters parameters = made.layout().init(Key.of(1), DType.FLOAT)) {
            Tensor z = Tensors.normal(Key.of(2), DType.FLOAT, Device.CPU, 2, 7);
            assertThat(made.apply(parameters, z).shape()).containsExactly(2, 3, 32, 32);
        }
        assertThatThrownBy(() -> of(Norm.NONE).of(7, List.of(1L, 9L, 9L)))
                .isInstanceOf(SettingException.class)
                .hasMessageContaining("double the image 1 times, to a multiple of 2 pixels, and the data's have 9");
        assertThatThrownBy(() -> of(Norm.NONE).of(7, List.of(1L, 8L, 4L)))
                .isInstanceOf(SettingException.class)
                .hasMessageContaining("make square images");
    }
}

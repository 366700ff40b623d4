package dev.kelvin.judge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.data.image.ImageSet;
import dev.kelvin.dataset.ImageDataset;
import dev.kelvin.metric.image.Moments;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FittedGaussianStatTest {
    private static final int SIDE = 3;
    private static final int PIXELS = SIDE * SIDE;
    private static final int DRAWS = 20_000;

    /** Values from 102 to 152 of 255, so that hardly any draw is outside of [0, 1]. */
    private static ImageSet set(int count) {
        RandomGenerator random = Key.of(3).stream();
        byte[] values = new byte[count * PIXELS];
        for (int i = 0; i < values.length; i++) {
            values[i] = (byte) (102 + random.nextInt(51));
        }
        try (Scope scope = Scope.open()) {
            Tensor pixels = Tensors.bytes(count, 1, SIDE, SIDE);
            pixels.memory(0, values.length).put(values);
            return new ImageSet("patches", scope.keep(pixels), new int[count], List.of("patch"), 255);
        }
    }

    /**
     * Of fewer images than pixels and of more, mean and covariance are the set's. A pixel's standard deviation is about
     * 0.06, so that the bounds are six or more standard errors of 20 000 draws (4e-4 of a mean, 3e-5 of a covariance): with
     * 54 checks, a random failure has a probability of about 1e-7.
     */
    @ParameterizedTest
    @ValueSource(ints = {5, PIXELS, 40})
    void hasTheSetsMeanAndCovariance(int count) {
        try (Scope scope = Scope.open();
                ImageSet set = set(count);
                Moments right = ImageDataset.moments(set, 256, ImageDataset.range(0, count));
                Moments found =
                        Moments.of(FittedGaussian.of(set).draw(Key.of(8), DRAWS).flattenSamples())) {
            assertThat(found.mean().toDoubles()).containsExactly(right.mean().toDoubles(), within(0.0025));
            assertThat(found.covariance().toDoubles())
                    .containsExactly(right.covariance().toDoubles(), within(3e-4));
        }
    }
}

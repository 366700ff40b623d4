package dev.kelvin.optim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.nn.Initialisation;
import dev.kelvin.nn.Layout;
import dev.kelvin.nn.Parameters;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Key;
import dev.kelvin.train.Descent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AverageTest {
    private static Parameters two() {
        return new Layout.Builder()
                .add("a", new Initialisation.Constant(1), 2L)
                .build()
                .init(Key.of(1), DType.DOUBLE);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.05, 0.5, 0.999})
    void followsItsRecursion(double decay) {
        try (Parameters current = two();
                Descent.Average average = new Descent.Average(current, decay)) {
            double mean = 1;
            for (int t = 0; t < 100; t++) {
                current.flat().addNumberInPlace(1);
                average.add(current, t);
                double d = Math.min(decay, (1.0 + t) / (10.0 + t));
                mean = d * mean + (1 - d) * (t + 2);
                double[] found = average.parameters().flat().toDoubles();
                assertThat(found).containsExactly(new double[] {mean, mean}, within(1e-13 * mean));
            }
        }
    }

    @Test
    void aYoungAverageIsNotHeldBackByTheFirstParameters() {
        try (Parameters current = two();
                Descent.Average average = new Descent.Average(current, 0.999)) {
            current.flat().addNumberInPlace(9);
            average.add(current, 0);
            // d = 1/10: 0.1·1 + 0.9·10
            assertThat(average.parameters().flat().toDoubles()).containsExactly(new double[] {9.1, 9.1}, within(1e-14));
            assertThat(current.flat().toDoubles()).containsExactly(10, 10);
        }
    }

    @Test
    void aDecayThatIsNoneIsRefused() {
        try (Parameters current = two()) {
            for (double decay : new double[] {-0.1, 1.1, Double.NaN}) {
                assertThatThrownBy(() -> new Descent.Average(current, decay))
                        .hasMessageContaining("ema must lie between 0 and 1");
            }
        }
    }
}

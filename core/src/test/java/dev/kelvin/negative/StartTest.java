package dev.kelvin.negative;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kelvin.SettingException;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class StartTest {
    private static final List<Long> IMAGE = List.of(3L, 4L, 4L);

    private static Draws line() {
        return (key, count) -> {
            double[] values = new double[count * 2];
            for (int i = 0; i < values.length; i++) {
                values[i] = i;
            }
            try (Scope scope = Scope.open()) {
                return scope.keep(Tensors.of(values, count, 2).to(DType.FLOAT));
            }
        };
    }

    static Stream<Draws> starts() {
        return Stream.of(
                Draws.gaussian(List.of(), 2, IMAGE, Device.CPU),
                Draws.gaussian(List.of(1.0, -3.0), 0.5, List.of(2L), Device.CPU),
                Draws.uniform(-1, 1, IMAGE, Device.CPU),
                Draws.noisy(line(), 0.1));
    }

    @ParameterizedTest
    @MethodSource("starts")
    void theKeyDecides(Draws start) {
        try (Scope scope = Scope.open()) {
            float[] once = start.draw(Key.of(1), 5).toFloats();
            assertThat(start.draw(Key.of(1), 5).toFloats()).isEqualTo(once);
            assertThat(start.draw(Key.of(2), 5).toFloats()).isNotEqualTo(once);
        }
    }

    @Test
    void theShapeIsTheBatchOfTheDatasShape() {
        try (Scope scope = Scope.open()) {
            Tensor gaussian = Draws.gaussian(List.of(), 1, IMAGE, Device.CPU).draw(Key.of(1), 5);
            Tensor uniform = Draws.uniform(0, 1, IMAGE, Device.CPU).draw(Key.of(1), 5);
            assertThat(gaussian.shape()).containsExactly(5, 3, 4, 4);
            assertThat(gaussian.dtype()).isEqualTo(DType.FLOAT);
            assertThat(uniform.shape()).containsExactly(5, 3, 4, 4);
            assertThat(uniform.dtype()).isEqualTo(DType.FLOAT);
            assertThat(Draws.noisy(line(), 1).draw(Key.of(1), 5).shape()).containsExactly(5, 2);
        }
    }

    @Test
    void withoutSpreadThereIsOnlyTheMean() {
        try (Scope scope = Scope.open()) {
            Draws point = Draws.gaussian(List.of(1.0, -3.0), 0, List.of(2L), Device.CPU);
            assertThat(point.draw(Key.of(1), 2).toFloats()).containsExactly(1, -3, 1, -3);
            assertThat(Draws.noisy(line(), 0).draw(Key.of(1), 2).toFloats()).containsExactly(0, 1, 2, 3);
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {-1, Double.NaN, Double.POSITIVE_INFINITY})
    void aSpreadThatIsNoneIsRefused(double spread) {
        assertThatThrownBy(() -> Draws.gaussian(List.of(), spread, IMAGE, Device.CPU))
                .isInstanceOf(SettingException.class)
                .hasMessageContaining("std must be 0 or more");
        assertThatThrownBy(() -> Draws.noisy(line(), spread))
                .isInstanceOf(SettingException.class)
                .hasMessageContaining("noise must be 0 or more");
    }

    @Test
    void wrongSettingsAreNamed() {
        assertThatThrownBy(() -> Draws.gaussian(List.of(1.0), 1, List.of(2L), Device.CPU))
                .isInstanceOf(SettingException.class)
                .hasMessage("mean has 1 numbers, the data 2 dimensions");
        assertThatThrownBy(() -> Draws.uniform(1, 1, IMAGE, Device.CPU))
                .isInstanceOf(SettingException.class)
                .hasMessage("low must lie below high, found 1.0 and 1.0");
        assertThatThrownBy(() -> Draws.uniform(Double.NaN, 1, IMAGE, Device.CPU))
                .isInstanceOf(SettingException.class);
    }
}

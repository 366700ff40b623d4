package dev.kelvin.data.toy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kelvin.energy.Differences;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.energy.ValueAndGradient;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ToyDataGradientTest {
    static List<String> names() {
        return ToyData.names();
    }

    @ParameterizedTest
    @MethodSource("names")
    void gradientsAgreeWithDifferences(String name) {
        ToyData toy = ToyData.named(name);
        LogDensity density = toy.logDensity().orElseThrow();
        try (Scope scope = Scope.open()) {
            Tensor x = toy.draw(Key.of(3), 50, DType.DOUBLE);
            ValueAndGradient both = density.valueAndGradient(x);
            assertThat(Differences.worstError(density, x, both.gradient())).isLessThan(1e-6);
            assertThat(both.value().toDoubles()).isEqualTo(density.at(x).toDoubles());
        }
    }
}

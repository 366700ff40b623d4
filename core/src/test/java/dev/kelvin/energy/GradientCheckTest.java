package dev.kelvin.energy;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class GradientCheckTest {
    @ParameterizedTest
    @EnumSource(
            value = DType.class,
            names = {"FLOAT", "DOUBLE"})
    void aWrongGradientIsTold(DType type) {
        Gaussian right = Gaussian.isotropic(new double[3], 1);
        LogDensity wrong = new LogDensity() {
            @Override
            public Tensor at(Tensor x) {
                return right.at(x);
            }

            @Override
            public ValueAndGradient valueAndGradient(Tensor x) {
                ValueAndGradient at = right.valueAndGradient(x);
                return new ValueAndGradient(at.value(), at.gradient().times(1.1)); // a factor of ten per cent
            }
        };
        try (Scope scope = Scope.open()) {
            Tensor x = right.draw(Key.of(2), 8, type);
            assertThatCode(() -> GradientCheck.require(right, x)).doesNotThrowAnyException();
            assertThatThrownBy(() -> GradientCheck.require(wrong, x))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("the target's gradient is wrong: at sample 0, coordinate");
        }
    }
}

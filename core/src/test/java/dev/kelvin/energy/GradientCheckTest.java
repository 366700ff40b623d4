package dev.kelvin.energy;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

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

    /** f = Σ|x| on images: at a kink, where x is nearly 0, either side's slope is right, and 1.1 is not. */
    @ParameterizedTest
    @ValueSource(doubles = {1, 1.1})
    void imagesAndKinksAreLookedAtToo(double factor) {
        LogDensity kinked = new LogDensity() {
            @Override
            public Tensor at(Tensor x) {
                return x.abs().flattenSamples().sum(1);
            }

            @Override
            public ValueAndGradient valueAndGradient(Tensor x) {
                return new ValueAndGradient(at(x), x.over(x.abs()).times(factor));
            }
        };
        try (Scope scope = Scope.open()) {
            double[] pixels = {1e-4, -1, 2, -1e-5, 0.5, -0.5, 3, 4};
            Tensor x = Tensors.of(pixels, 2, 1, 2, 2);
            if (factor == 1) {
                assertThatCode(() -> GradientCheck.require(kinked, x)).doesNotThrowAnyException();
                assertThatCode(() -> GradientCheck.require(kinked, x.to(DType.FLOAT)))
                        .doesNotThrowAnyException();
            } else {
                assertThatThrownBy(() -> GradientCheck.require(kinked, x)).hasMessageContaining("is wrong");
            }
        }
    }
}

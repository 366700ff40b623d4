package dev.kelvin.energy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kelvin.energy.analytic.Banana;
import dev.kelvin.energy.analytic.Rings;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Gradients;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TargetGradientTest {
    @ParameterizedTest
    @MethodSource("dev.kelvin.energy.TargetCases#all")
    void closedFormAgreesWithDifferencesAndAutograd(TargetCases.Case c) {
        try (Scope scope = Scope.open()) {
            Tensor x = c.target().draw(Key.of(1), 50, DType.DOUBLE);
            ValueAndGradient closed = c.target().valueAndGradient(x);
            assertThat(closed.gradient().shape()).isEqualTo(x.shape());
            assertThat(Differences.worstError(c.target(), x, closed.gradient())).isLessThan(1e-6);

            Tensor leaf = x.asLeaf();
            Tensor value = c.target().at(leaf);
            Tensor automatic = Gradients.of(value, leaf);
            assertThat(closed.value().minus(value).abs().max().item()).isLessThan(1e-12);
            double scale = 1 + closed.gradient().abs().max().item();
            assertThat(closed.gradient().minus(automatic).abs().max().item()).isLessThan(1e-12 * scale);
        }
    }

    @Test
    void theCheckSeesAWrongGradient() {
        try (Scope scope = Scope.open()) {
            Banana banana = new Banana(1, 1);
            Tensor x = banana.draw(Key.of(2), 50, DType.DOUBLE);
            Tensor wrong = banana.valueAndGradient(x).gradient().times(1.00001);
            assertThat(Differences.worstError(banana, x, wrong)).isGreaterThan(1e-6);
        }
    }

    @Test
    void ringsHaveNoForceWithoutDirectionAtTheOrigin() {
        try (Scope scope = Scope.open()) {
            Rings rings = new Rings(List.of(1.0), 0.15);
            Tensor gradient =
                    rings.valueAndGradient(Tensors.of(new float[2], 1, 2)).gradient();
            assertThat(gradient.abs().toDoubles()).containsExactly(0, 0);
        }
    }
}

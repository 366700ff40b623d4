package dev.kelvin.optim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kelvin.SettingException;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.State;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class OptimiserTest {
    private static void steps(Optimiser optimiser, Tensor parameters, int from, int to) {
        for (int t = from; t < to; t++) {
            try (Scope scope = Scope.open()) {
                Tensor gradient =
                        Tensors.normalLike(Key.of(71).child(t), 1, parameters).plus(parameters);
                optimiser.step(parameters, gradient, 0.1);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("dev.kelvin.optim.OptimiserGoldenTest#cases")
    void whatWasSavedGoesOnEqually(OptimiserGoldenTest.Case c) {
        try (Scope scope = Scope.open()) {
            Tensor one = Tensors.normal(Key.of(72), 20);
            try (Optimiser first = c.optimiser().apply(one);
                    Optimiser second = c.optimiser().apply(one)) {
                steps(first, one, 0, 5);
                Tensor two = one.copy();
                State state = State.empty();
                first.save(state);
                second.load(state);
                steps(first, one, 5, 10);
                steps(second, two, 5, 10);
                assertThat(two.toFloats()).isEqualTo(one.toFloats());
            }
        }
    }

    /** The twin of the above, for those that remember something. */
    @ParameterizedTest
    @MethodSource("dev.kelvin.optim.OptimiserGoldenTest#cases")
    void whatIsForgottenIsSeen(OptimiserGoldenTest.Case c) {
        try (Scope scope = Scope.open()) {
            Tensor one = Tensors.normal(Key.of(72), 20);
            try (Optimiser first = c.optimiser().apply(one);
                    Optimiser young = c.optimiser().apply(one)) {
                steps(first, one, 0, 5);
                Tensor two = one.copy();
                steps(first, one, 5, 10);
                steps(young, two, 5, 10);
                boolean remembers = !c.name().equals("SGD") && !c.name().equals("SGD(weight_decay=.1)");
                assertThat(Arrays.equals(two.toFloats(), one.toFloats())).isEqualTo(!remembers);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("dev.kelvin.optim.OptimiserGoldenTest#cases")
    void nanStaysNan(OptimiserGoldenTest.Case c) {
        try (Scope scope = Scope.open()) {
            Tensor parameters = Tensors.of(new double[] {1, 2});
            try (Optimiser optimiser = c.optimiser().apply(parameters)) {
                optimiser.step(parameters, Tensors.of(new double[] {Double.NaN, 1}), 0.1);
                double[] after = parameters.toDoubles();
                assertThat(after[0]).isNaN();
                assertThat(after[1]).isFinite();
            }
        }
    }

    @Test
    void clipLeavesShortGradientsAndNanAlone() {
        try (Scope scope = Scope.open()) {
            Tensor gradient = Tensors.of(new double[] {3, -4});
            GradientClip.limit(gradient, 5, 5);
            assertThat(gradient.toDoubles()).containsExactly(3, -4);
            Tensor broken = Tensors.of(new double[] {Double.NaN, 1});
            assertThat(GradientClip.norm(broken)).isNaN();
            GradientClip.limit(broken, GradientClip.norm(broken), 1);
            assertThat(broken.toDoubles()[0]).isNaN();
        }
    }

    @Test
    void wrongSettingsAreNamed() {
        try (Scope scope = Scope.open()) {
            Tensor p = Tensors.zeros(DType.FLOAT, Device.CPU, 3);
            assertThatThrownBy(() -> new Sgd(p, -0.1, false, 0)).hasMessageContaining("momentum must lie between 0");
            assertThatThrownBy(() -> new Sgd(p, Double.NaN, false, 0)).hasMessageContaining("momentum must lie");
            assertThatThrownBy(() -> new Sgd(p, 0, true, 0))
                    .isInstanceOf(SettingException.class)
                    .hasMessage("nesterov needs a momentum above 0");
            assertThatThrownBy(() -> new Sgd(p, 0, false, -1)).hasMessageContaining("weightDecay must be 0 or more");
            assertThatThrownBy(() -> new Adam.Settings(1, 0.9, 1e-8, 0, false)).hasMessageContaining("beta1 must lie");
            assertThatThrownBy(() -> new Adam.Settings(0.9, 1, 1e-8, 0, false)).hasMessageContaining("beta2 must lie");
            assertThatThrownBy(() -> new Adam.Settings(0.9, 0.9, 0, 0, false))
                    .hasMessage("epsilon must be above 0, found 0");
            assertThatThrownBy(() -> new Adam.Settings(0.9, 0.9, 1e-8, -1, false))
                    .hasMessageContaining("weightDecay must be 0 or more");
        }
    }
}

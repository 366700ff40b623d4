package dev.kelvin.optim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kelvin.Mistakes;
import dev.kelvin.part.SettingException;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.State;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import dev.kelvin.train.Descent;
import java.util.Arrays;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class OptimiserTest {
    private static void steps(OptimiserState optimiser, Tensor parameters, int from, int to) {
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
            try (OptimiserState first = c.optimiser().start(one);
                    OptimiserState second = c.optimiser().start(one)) {
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
            try (OptimiserState first = c.optimiser().start(one);
                    OptimiserState young = c.optimiser().start(one)) {
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
            try (OptimiserState optimiser = c.optimiser().start(parameters)) {
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
            Descent.limit(gradient, 5, 5);
            assertThat(gradient.toDoubles()).containsExactly(3, -4);
            Tensor broken = Tensors.of(new double[] {Double.NaN, 1});
            assertThat(Descent.norm(broken)).isNaN();
            Descent.limit(broken, Descent.norm(broken), 1);
            assertThat(broken.toDoubles()[0]).isNaN();
        }
    }

    @Test
    void wrongSettingsAreNamed() {
        assertThatThrownBy(() -> sgd(0.1, -0.1, false, 0)).hasMessageContaining("momentum must");
        assertThatThrownBy(() -> sgd(0.1, Double.NaN, false, 0)).hasMessageContaining("momentum must");
        assertThatThrownBy(() -> sgd(0.1, 1, false, 0)).hasMessageContaining("momentum must");
        assertThatThrownBy(() -> sgd(0.1, 0, true, 0))
                .isInstanceOf(SettingException.class)
                .hasMessage("nesterov needs a momentum above 0");
        assertThatThrownBy(() -> sgd(0.1, 0, false, -1)).hasMessageContaining("weightDecay must be 0 or more");
        assertThatThrownBy(() -> Sgd.of(0)).hasMessageContaining("learningRate must be above 0");
        for (boolean decoupled : new boolean[] {false, true}) {
            assertThatThrownBy(() -> adam(decoupled, 1, 0.9, 1e-8, 0)).hasMessageContaining("beta1 must");
            assertThatThrownBy(() -> adam(decoupled, 0.9, 1, 1e-8, 0)).hasMessageContaining("beta2 must");
            assertThatThrownBy(() -> adam(decoupled, 0.9, 0.9, 0, 0)).hasMessage("epsilon must be above 0, found 0");
            assertThatThrownBy(() -> adam(decoupled, 0.9, 0.9, 1e-8, -1))
                    .hasMessageContaining("weightDecay must be 0 or more");
        }
        assertThat(Mistakes.of(() -> new Adam(-1, 1, 1, 0, -1, Schedule.constant(), OptionalDouble.of(0))))
                .hasSize(6)
                .anyMatch(message -> message.startsWith("learningRate must be above 0"))
                .anyMatch(message -> message.startsWith("clipNorm must be above 0"));
    }

    private static Sgd sgd(double rate, double momentum, boolean nesterov, double decay) {
        return new Sgd(rate, momentum, nesterov, decay, Schedule.constant(), OptionalDouble.empty());
    }

    private static Optimiser adam(boolean decoupled, double b1, double b2, double epsilon, double decay) {
        return decoupled
                ? new Adamw(0.1, b1, b2, epsilon, decay, Schedule.constant(), OptionalDouble.empty())
                : new Adam(0.1, b1, b2, epsilon, decay, Schedule.constant(), OptionalDouble.empty());
    }

    /** The usual settings, and the same with another schedule. */
    @Test
    void shortFormsAreTheUsualSettings() {
        Schedule falling = new Schedule.Cosine(0, 0);
        assertThat(Adam.of(0.1))
                .isEqualTo(new Adam(0.1, 0.9, 0.999, 1e-8, 0, Schedule.constant(), OptionalDouble.empty()));
        assertThat(Adamw.of(0.1))
                .isEqualTo(new Adamw(0.1, 0.9, 0.999, 1e-8, 0.01, Schedule.constant(), OptionalDouble.empty()));
        assertThat(Sgd.of(0.1)).isEqualTo(sgd(0.1, 0, false, 0));
        assertThat(Adam.of(0.1).withSchedule(falling).schedule()).isSameAs(falling);
        assertThat(Adamw.of(0.1).withSchedule(falling).weightDecay()).isEqualTo(0.01);
    }
}

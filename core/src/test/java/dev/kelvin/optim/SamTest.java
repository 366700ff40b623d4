package dev.kelvin.optim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.OptionalDouble;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SamTest {
    private final Scope scope = Scope.open();

    @AfterEach
    void close() {
        scope.close();
    }

    private static double[] move(Sam.Climb climb, double[] parameters, double... gradient) {
        return climb.move(Tensors.of(parameters), Tensors.of(gradient))
                .map(Tensor::toDoubles)
                .orElse(new double[0]);
    }

    /** By hand: ρ·g/‖g‖, and ρ·p²g/‖|p|g‖ with |p|g = (6, 8). */
    @Test
    void climbsAlongTheGradient() {
        assertThat(move(new Sam.Climb(0.1, false), new double[] {7, -7}, 3, -4))
                .containsExactly(new double[] {0.06, -0.08}, within(1e-16));
        assertThat(move(new Sam.Climb(0.1, true), new double[] {2, -4}, 3, 2))
                .containsExactly(new double[] {0.1 * 4 * 3 / 10, 0.1 * 16 * 2 / 10}, within(1e-15));
    }

    @Test
    void staysWhereThereIsNoDirection() {
        for (boolean adaptive : new boolean[] {false, true}) {
            Sam.Climb climb = new Sam.Climb(0.1, adaptive);
            double[] ones = {1, 1};
            assertThat(move(climb, ones, 0, 0)).isEmpty();
            assertThat(move(climb, ones, Double.NaN, 1)).isEmpty();
            assertThat(move(climb, ones, Double.POSITIVE_INFINITY, 1)).isEmpty();
        }
        assertThat(move(new Sam.Climb(0.1, true), new double[] {0, 0}, 1, 1)).isEmpty();
    }

    @Test
    void isTheOptimiserInsideOtherwise() {
        Sgd sgd = new Sgd(0.3, 0.9, true, 0.01, new Schedule.Cosine(0.1, 5), OptionalDouble.of(2));
        Sam sam = new Sam(sgd, 0.05, false);
        assertThat(sam.learningRate()).isEqualTo(0.3);
        assertThat(sam.weightDecay()).isEqualTo(0.01);
        assertThat(sam.schedule()).isEqualTo(sgd.schedule());
        assertThat(sam.clipNorm()).hasValue(2);
        assertThat(sam.words())
                .isEqualTo("SGD (Nesterov momentum 0.9, weight decay 0.01) with sharpness-aware minimisation"
                        + " (ρ = 0.05)");
        try (OptimiserState state = sam.start(Tensors.of(new double[] {1, 2}))) {
            assertThat(state).isInstanceOf(Sgd.Momentum.class);
        }
    }

    @Test
    void refusesWhatMakesNoSense() {
        assertThatThrownBy(() -> new Sam(Sgd.of(1), 0, false)).hasMessage("rho must be above 0, found 0");
        assertThatThrownBy(() -> new Sam(new Sam(Sgd.of(1), 1, false), 1, false))
                .hasMessage("by must be an optimiser that does not climb itself");
    }
}

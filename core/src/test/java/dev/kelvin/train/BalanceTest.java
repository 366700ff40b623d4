package dev.kelvin.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.objective.Contrastive;
import dev.kelvin.objective.JointObjective;
import dev.kelvin.objective.Smoothing;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.State;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BalanceTest {
    private final Scope scope = Scope.open();

    @AfterEach
    void close() {
        scope.close();
    }

    private static Balance adaptive(double start, double ratio, double decay) {
        return new Balance(new Smoothing(start, Optional.of(new Smoothing.Adaptive(ratio, 10, decay))));
    }

    private static Tensor ofLength(double length) {
        return Tensors.of(new double[] {0.6 * length, -0.8 * length});
    }

    @Test
    void keepsTheRatio() {
        Balance balance = adaptive(5, 0.5, 0.9);
        assertThat(balance.alpha()).isCloseTo(5, within(1e-14));
        balance.measure(ofLength(12), ofLength(3)); // 12/α : 3 is 0.5 at α = 8
        assertThat(balance.alpha()).isCloseTo(8, within(1e-13));
    }

    /** At first the mean of log α*, later an exponential average. */
    @Test
    void averagesInTheLogarithm() {
        Balance balance = adaptive(1, 1, 0.5);
        balance.measure(ofLength(4), ofLength(1));
        balance.measure(ofLength(16), ofLength(1));
        assertThat(balance.alpha()).isCloseTo(8, within(1e-13));
        balance.measure(ofLength(2), ofLength(1));
        assertThat(balance.alpha()).isCloseTo(4, within(1e-13)); // kept a half, not two thirds
    }

    /** A gradient without length says nothing, nor does a broken one. */
    @ParameterizedTest
    @CsvSource({"0, 1", "1, 0", "0, 0", "NaN, 1", "1, NaN", "Infinity, 1", "1, Infinity"})
    void staysWhereThereIsNothingToMeasure(double generative, double labels) {
        Balance balance = adaptive(7, 1, 0.9);
        balance.measure(ofLength(generative), ofLength(labels));
        assertThat(balance.alpha()).isCloseTo(7, within(1e-14));
        balance.measure(ofLength(3), ofLength(1));
        assertThat(balance.alpha()).isCloseTo(3, within(1e-14));
    }

    @Test
    void staysFinite() {
        Balance balance = adaptive(1, 1, 0.9);
        balance.measure(ofLength(1e150), ofLength(1e-150));
        assertThat(balance.alpha()).isCloseTo(1e6, within(1e-3));
        Balance other = adaptive(1, 1, 0.9);
        other.measure(ofLength(1e-150), ofLength(1e150));
        assertThat(other.alpha()).isCloseTo(1e-6, within(1e-12));
    }

    @Test
    void measuresEverySoManySteps() {
        Balance balance = adaptive(1, 1, 0.9);
        assertThat(balance.measures(0)).isTrue();
        assertThat(balance.measures(9)).isFalse();
        assertThat(balance.measures(20)).isTrue();
        assertThat(new Balance(Smoothing.of(3)).measures(0)).isFalse();
    }

    @Test
    void isSavedToTheBit() {
        Balance balance = adaptive(1, 1, 0.9);
        balance.measure(ofLength(Math.PI), ofLength(1));
        State state = State.empty();
        balance.save(state);
        Balance other = adaptive(9, 1, 0.9);
        other.load(State.of(state.tensors(), Map.copyOf(state.numbers())));
        assertThat(other.alpha()).isEqualTo(balance.alpha());
        other.measure(ofLength(2), ofLength(1));
        balance.measure(ofLength(2), ofLength(1));
        assertThat(other.alpha()).isEqualTo(balance.alpha());
    }

    /** One that stays is the recipe's number itself, and is in no checkpoint. */
    @Test
    void whatStaysHasNoState() {
        Balance balance = new Balance(Smoothing.of(50));
        assertThat(balance.alpha()).isEqualTo(50);
        State state = State.empty();
        balance.save(state);
        assertThat(state.numbers()).isEmpty();
        balance.load(state);
    }

    @Test
    void refusesWhatMakesNoSense() {
        Smoothing adaptive = new Smoothing(1, Optional.of(new Smoothing.Adaptive(1, 10, 0.9)));
        assertThatThrownBy(() -> new JointObjective.CdCe(new Contrastive(), 0, adaptive))
                .hasMessageContaining("alpha cannot be adaptive without the label term");
        assertThatThrownBy(() -> Smoothing.of(0)).hasMessage("start must be above 0, found 0");
        assertThatThrownBy(() -> new Smoothing.Adaptive(0, 1, 0.9)).hasMessageContaining("ratio must be above 0");
        assertThatThrownBy(() -> new Smoothing.Adaptive(1, 0, 0.9)).hasMessageContaining("every must be at least 1");
        assertThatThrownBy(() -> new Smoothing.Adaptive(1, 1, 1)).hasMessageContaining("decay must be");
    }
}

package dev.kelvin.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The Metropolis choice, in Java and where the chains live. */
class EvaluatedTest {
    private static final double NAN = Double.NaN;
    private static final double INFINITE = Double.POSITIVE_INFINITY;

    private static Evaluated standing(int chains, double at, double... values) {
        Tensor x = Tensors.of(new double[chains], chains, 1).plus(at);
        return new Evaluated(x, Tensors.of(values, chains), x.times(2));
    }

    /** 1e5 chains: a standard error of at most .0016, and 5 of them. */
    @ParameterizedTest
    @ValueSource(doubles = {0.05, 0.5, 0.9})
    void acceptsWithItsProbabilityWhereTheChainsLive(double probability) {
        int chains = 100_000;
        try (Scope scope = Scope.open()) {
            double[] logs = new double[chains];
            Arrays.fill(logs, Math.log(probability));
            Evaluated from = standing(chains, 0, new double[chains]);
            Evaluated to = standing(chains, 1, logs);
            Transition<Evaluated> step = from.metropolis(scope, Key.of(1), to, Tensors.of(logs, chains));
            double moved = step.state().x().mean().item();
            assertThat(moved).isCloseTo(probability, within(0.008));
            assertThat(step.state().gradient().mean().item()).isCloseTo(2 * moved, within(1e-9));
            assertThat(step.state().value().mean().item()).isCloseTo(moved * Math.log(probability), within(1e-9));
        }
    }

    /** A proposal that is not a number is refused, and a chain that stands at one says so: in both forms. */
    @Test
    void bothFormsTreatWhatIsNoNumberAlike() {
        double[] logs = {NAN, NAN, INFINITE, -INFINITE, 3, NAN};
        try (Scope scope = Scope.open()) {
            Evaluated from = standing(6, 0, 0, NAN, -INFINITE, 0, 0, 0);
            Evaluated to = standing(6, 1, NAN, 0, 0, -INFINITE, 3, NAN);
            for (Transition<Evaluated> step : List.of(
                    from.metropolis(scope, Key.of(2), to, logs, Map.of()),
                    from.metropolis(scope, Key.of(2), to, Tensors.of(logs, 6)))) {
                assertThat(step.state().x().toDoubles()).containsExactly(0, 0, 1, 0, 1, 0);
                assertThat(step.state().value().toDoubles()).containsExactly(0, NAN, 0, 0, 3, 0);
                assertThat(step.info().acceptance().orElseThrow().toDoubles()).containsExactly(0, NAN, 1, 0, 1, 0);
            }
        }
    }
}

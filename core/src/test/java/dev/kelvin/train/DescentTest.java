package dev.kelvin.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.nn.Initialisation;
import dev.kelvin.nn.Layout;
import dev.kelvin.nn.Parameters;
import dev.kelvin.optim.Adam;
import dev.kelvin.optim.Adamw;
import dev.kelvin.optim.Optimiser;
import dev.kelvin.optim.OptimiserState;
import dev.kelvin.optim.Schedule;
import dev.kelvin.optim.Sgd;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DescentTest {
    private static final double DECAY = 0.5;

    /** Two that are trained and, between them, running statistics, which are not. */
    private static final Layout LAYOUT = new Layout.Builder()
            .add("before", new Initialisation.Constant(2), 2L)
            .addState("running", new Initialisation.Constant(3), 2L)
            .add("after", new Initialisation.Constant(4), 1L)
            .build();

    private static final double[] GRADIENT = {1, -1, 0, 0, 0.5};

    static Stream<Optimiser> decaying() {
        return Stream.of(
                new Adamw(0.1, 0.9, 0.999, 1e-8, DECAY, Schedule.constant(), OptionalDouble.empty()),
                new Adam(0.1, 0.9, 0.999, 1e-8, DECAY, Schedule.constant(), OptionalDouble.empty()),
                new Sgd(0.1, 0.9, false, DECAY, Schedule.constant(), OptionalDouble.empty()),
                new Sgd(0.1, 0.9, true, DECAY, Schedule.constant(), OptionalDouble.empty()));
    }

    private static Map<String, Double> step(Descent descent, long step) {
        try (Scope scope = Scope.open()) {
            Map<String, Double> report = new HashMap<>();
            descent.step(Tensors.of(GRADIENT.clone()), step, report);
            return report;
        }
    }

    /** The optimiser alone would shrink the statistics; the rest moves as it says. */
    @ParameterizedTest
    @MethodSource("decaying")
    void weightDecayLeavesWhatIsNotTrainedAlone(Optimiser optimiser) {
        try (Scope scope = Scope.open();
                Descent descent = new Descent(LAYOUT.init(Key.of(1), DType.DOUBLE), optimiser, 10, 0.9)) {
            Tensor alone = descent.parameters().flat().copy();
            try (OptimiserState state = optimiser.start(alone)) {
                for (int step = 0; step < 5; step++) {
                    step(descent, step);
                    state.step(alone, Tensors.of(GRADIENT.clone()), 0.1);
                }
            }
            double[] moved = descent.parameters().flat().toDoubles();
            double[] expected = alone.toDoubles();
            for (int i : new int[] {0, 1, 4}) {
                assertThat(moved[i]).isEqualTo(expected[i]);
            }
            assertThat(new double[] {moved[2], moved[3]}).containsExactly(3, 3);
            assertThat(descent.averaged().get("running").toDoubles())
                    .containsExactly(new double[] {3, 3}, within(1e-14));
            assertThat(expected[2]).isLessThan(2.99); // the twin: what the optimiser does to all
        }
    }

    /** Statistics that the network moved between steps are kept where it put them. */
    @ParameterizedTest
    @MethodSource("decaying")
    void whatTheNetworkMovedStaysThere(Optimiser optimiser) {
        try (Descent descent = new Descent(LAYOUT.init(Key.of(1), DType.DOUBLE), optimiser, 10, 0)) {
            for (int step = 0; step < 5; step++) {
                step(descent, step);
                descent.parameters().get("running").addNumberInPlace(1);
            }
            assertThat(descent.parameters().get("running").toDoubles()).containsExactly(8, 8);
        }
    }

    @Test
    void theRateFollowsItsMilestones() {
        Sgd sgd = new Sgd(0.1, 0, false, 0, new Schedule.Milestones(List.of(2, 3), 0.5, 0), OptionalDouble.empty());
        try (Descent descent = new Descent(LAYOUT.init(Key.of(1), DType.DOUBLE), sgd, 10, 0)) {
            List<Double> rates = new ArrayList<>();
            for (int step = 0; step < 5; step++) {
                rates.add(step(descent, step).get(StepReport.LEARNING_RATE));
            }
            assertThat(rates).containsExactly(0.1, 0.1, 0.05, 0.025, 0.025);
            double moved = 0.1 + 0.1 + 0.05 + 0.025 + 0.025;
            assertThat(descent.parameters().flat().toDoubles()[0]).isCloseTo(2 - moved, within(1e-14));
        }
    }

    /** The norm that is told is that before the limit. */
    @Test
    void theGradientIsLimited() {
        Sgd limited = new Sgd(1, 0, false, 0, Schedule.constant(), OptionalDouble.of(0.3));
        try (Descent descent = new Descent(LAYOUT.init(Key.of(1), DType.DOUBLE), limited, 10, 0)) {
            assertThat(step(descent, 0).get(StepReport.GRADIENT_NORM)).isCloseTo(1.5, within(1e-15));
            assertThat(descent.parameters().flat().toDoubles())
                    .containsExactly(new double[] {1.8, 2.2, 3, 3, 3.9}, within(1e-14));
        }
    }

    @Test
    void withoutAnAverageTheParametersAreJudged() {
        try (Descent plain = new Descent(LAYOUT.init(Key.of(1), DType.DOUBLE), Sgd.of(0.1), 10, 0);
                Descent averaged = new Descent(LAYOUT.init(Key.of(1), DType.DOUBLE), Sgd.of(0.1), 10, 0.9)) {
            assertThat(plain.averaged()).isSameAs(plain.parameters());
            step(averaged, 0);
            assertThat(averaged.averaged().flat().toDoubles())
                    .isNotEqualTo(averaged.parameters().flat().toDoubles());
        }
    }

    @Test
    void wrongSettingsAreNamed() {
        try (Parameters parameters = LAYOUT.init(Key.of(1), DType.DOUBLE)) {
            assertThatThrownBy(() -> new Descent(parameters, Sgd.of(1), 0, 0))
                    .hasMessage("iterations must be at least 1, found 0");
            assertThatThrownBy(() -> new Descent(parameters, Sgd.of(1), 1, 1.5))
                    .hasMessageContaining("ema must lie between 0 and 1");
        }
    }
}

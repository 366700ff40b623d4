package dev.kelvin.sample.warmup;

import static dev.kelvin.sample.Changed.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.energy.analytic.GaussianMixture;
import dev.kelvin.sample.Evaluated;
import dev.kelvin.sample.Mala;
import dev.kelvin.sample.ReplicaExchange;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExchangeWarmUpTest {
    /** Two modes 12 standard deviations apart, the right one three times as heavy. */
    private static final GaussianMixture MODES =
            GaussianMixture.isotropic(0.5, new double[][] {{-3, 0}, {3, 0}}, new double[] {1, 3});

    private static final int CHAINS = 200;

    private static Tensor leftStart() {
        return Tensors.normal(Key.of(1), DType.DOUBLE, Device.CPU, CHAINS, 2)
                .times(0.5)
                .minus(Tensors.of(new double[] {3, 0}, 1, 2));
    }

    private static double right(Tensor x) {
        double[] first = x.select(1, 0).toDoubles();
        return Arrays.stream(first).filter(value -> value > 0).count() / (double) first.length;
    }

    /** All chains begin on the left; 4 standard errors of a share of 3/4 among 200 are 0.12. */
    @Test
    void chainsReachTheModesInTheirProportion() {
        try (Scope scope = Scope.open()) {
            Tensor arrived = new ExchangeWarmUp(120, 4, 30).run(Key.of(2), MODES, leftStart());
            assertThat(right(arrived)).isCloseTo(0.75, within(0.12));
            // the power twin: without exchange none leaves
            WarmUp<Evaluated> alone = new AdaptiveWarmUp(120, false, true).run(Key.of(2), MODES, leftStart(), 1);
            assertThat(right(alone.x())).isLessThan(0.05);
        }
    }

    /** Refusals of 0.2 and 0.6 along 1/T from 1 over ½ to ¼: half of their sum is reached a third into the second part. */
    @Test
    void temperaturesArePlacedWhereRefusalsAreEqual() {
        ReplicaExchange exchange = with(ReplicaExchange.of(Mala.of(0.1)), "ladder", List.of(1.0, 2.0, 4.0));
        List<Double> tuned = exchange.tuned(0.8, 0.4).temperatures();
        assertThat(tuned.get(0)).isEqualTo(1);
        assertThat(1 / tuned.get(1)).isCloseTo(0.5 - 0.25 / 3, within(1e-12));
        assertThat(tuned.get(2)).isEqualTo(4);
        assertThat(exchange.tuned(1, 1).temperatures().get(1)).isCloseTo(2, within(1e-12));
    }

    @Test
    void aLadderTakesThePlaceOfRungs() {
        ReplicaExchange exchange = new ReplicaExchange(Mala.of(0.1), 6, 30, 5, List.of(1.0, 1.5));
        assertThat(exchange.rungs()).isEqualTo(2);
        assertThat(exchange.hottest()).isEqualTo(1.5);
        for (List<Double> wrong : List.of(List.of(1.0), List.of(2.0, 3.0), List.of(1.0, 1.0), List.of(1.0, 3.0, 2.0))) {
            assertThatThrownBy(() -> with(exchange, "ladder", wrong)).hasMessageStartingWith("ladder must");
        }
    }
}

package dev.kelvin.sample.chain;

import static dev.kelvin.sample.Changed.range;
import static dev.kelvin.sample.Changed.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kelvin.energy.Gaussian;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.sample.Hmc;
import dev.kelvin.sample.Kernel;
import dev.kelvin.sample.Mala;
import dev.kelvin.sample.ReplicaExchange;
import dev.kelvin.sample.StepInfo;
import dev.kelvin.sample.Svgd;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChainRunTest {
    private static final Gaussian TARGET = Gaussian.isotropic(new double[12], 1);

    /** Each half is a walk of its own. */
    @Test
    void inHalvesIsTwoWalksSideBySide() {
        assertTwoWalks(Mala.of(0.5));
        assertTwoWalks(with(Mala.of(0.5), "clip", 0.4, "clamp", range(-2, 2)));
        assertTwoWalks(with(ReplicaExchange.of(Mala.of(0.5)), "rungs", 3, "hottest", 4, "steps", 2));
    }

    private static void assertTwoWalks(Kernel<?> kernel) {
        try (Scope scope = Scope.open()) {
            Tensor x = TARGET.draw(Key.of(1), 101);
            ChainRun both = ChainRun.inHalves(Key.of(2), kernel, TARGET, x, 4);
            ChainRun first = ChainRun.run(Key.of(2).child(0), kernel, TARGET, x.narrow(0, 0, 50), 4);
            ChainRun second = ChainRun.run(Key.of(2).child(1), kernel, TARGET, x.narrow(0, 50, 51), 4);
            assertThat(both.x().narrow(0, 0, 50).toFloats()).isEqualTo(first.x().toFloats());
            assertThat(both.x().narrow(0, 50, 51).toFloats())
                    .isEqualTo(second.x().toFloats());
            assertThat(both.accepted())
                    .hasSize(101)
                    .startsWith(first.accepted())
                    .endsWith(second.accepted());
        }
    }

    /** Far from each other, so that a chain with another's class would be seen. */
    private record TwoClasses(long... labels) implements LogDensity {
        @Override
        public Tensor at(Tensor x) {
            double[] centres =
                    Arrays.stream(labels).mapToDouble(label -> 10.0 * label).toArray();
            return x.minus(Tensors.like(x, centres, labels.length, 1))
                    .square()
                    .sumPerSample()
                    .times(-0.5);
        }

        @Override
        public LogDensity rows(long... rows) {
            return new TwoClasses(
                    Arrays.stream(rows).map(row -> labels[(int) row]).toArray());
        }
    }

    @Test
    void chainsKeepTheirClassesInHalvesAndOnEveryRung() {
        long[] labels = new long[301];
        Arrays.setAll(labels, i -> i % 3 == 0 ? 1 : 0);
        for (Kernel<?> kernel : List.<Kernel<?>>of(Mala.of(0.3), new ReplicaExchange(Mala.of(0.3), 2, 2, 1))) {
            try (Scope scope = Scope.open()) {
                Tensor x = TARGET.draw(Key.of(1), 301).to(DType.DOUBLE);
                ChainRun walk = ChainRun.inHalves(Key.of(2), kernel, new TwoClasses(labels), x, 100);
                double[] ends = walk.x().select(1, 0).toDoubles();
                for (int i = 0; i < ends.length; i++) {
                    assertThat(ends[i]).isBetween(10.0 * labels[i] - 5, 10.0 * labels[i] + 5); // five deviations
                }
            }
        }
    }

    @Test
    void whatTheKernelTellsIsWeighedByTheRows() {
        Hmc hmc = Hmc.of(0.5, 3);
        try (Scope scope = Scope.open()) {
            Tensor x = TARGET.draw(Key.of(1), 99);
            double found = energyError(ChainRun.inHalves(Key.of(2), hmc, TARGET, x, 2));
            double a = energyError(ChainRun.run(Key.of(2).child(0), hmc, TARGET, x.narrow(0, 0, 49), 2));
            double b = energyError(ChainRun.run(Key.of(2).child(1), hmc, TARGET, x.narrow(0, 49, 50), 2));
            assertThat(found).isEqualTo(49.0 / 99 * a + (1 - 49.0 / 99) * b);
        }
    }

    private static double energyError(ChainRun walk) {
        return walk.more().getOrDefault(StepInfo.ENERGY_ERROR, new double[] {Double.NaN})[0];
    }

    /** Chains that look at each other, few numbers and no steps stay together. */
    @Test
    void someStayTogether() {
        Kernel<?> svgd = with(Svgd.of(0.1), "update", Svgd.Update.PLAIN);
        try (Scope scope = Scope.open()) {
            Tensor many = TARGET.draw(Key.of(1), 100);
            Tensor few = TARGET.draw(Key.of(1), 10);
            assertThat(ChainRun.inHalves(Key.of(2), svgd, TARGET, many, 2).x().toFloats())
                    .isEqualTo(
                            ChainRun.run(Key.of(2), svgd, TARGET, many, 2).x().toFloats());
            Mala mala = Mala.of(0.5);
            assertThat(ChainRun.inHalves(Key.of(2), mala, TARGET, few, 2).x().toFloats())
                    .isEqualTo(ChainRun.run(Key.of(2), mala, TARGET, few, 2).x().toFloats());
            assertThat(ChainRun.inHalves(Key.of(2), mala, TARGET, many, 0).x()).isSameAs(many);
        }
    }

    @Test
    void aFailureOfAHalfIsTold() {
        LogDensity broken = x -> {
            throw new IllegalStateException("no density here");
        };
        try (Scope scope = Scope.open()) {
            Tensor x = TARGET.draw(Key.of(1), 100);
            assertThatThrownBy(() -> ChainRun.inHalves(Key.of(2), Mala.of(0.5), broken, x, 2))
                    .hasMessage("no density here");
        }
    }
}

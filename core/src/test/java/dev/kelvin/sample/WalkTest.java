package dev.kelvin.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kelvin.energy.Gaussian;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import org.junit.jupiter.api.Test;

class WalkTest {
    private static final Gaussian TARGET = Gaussian.isotropic(new double[12], 1);

    /** Each half is a walk of its own. */
    @Test
    void apartIsTwoWalksSideBySide() {
        Mala mala = new Mala(0.5, 1);
        try (Scope scope = Scope.open()) {
            Tensor x = TARGET.draw(Key.of(1), 101);
            Walk both = Walk.apart(Key.of(2), mala, TARGET, x, 4);
            Walk first = Walk.run(Key.of(2).child(0), mala, TARGET, x.narrow(0, 0, 50), 4);
            Walk second = Walk.run(Key.of(2).child(1), mala, TARGET, x.narrow(0, 50, 51), 4);
            assertThat(both.x().narrow(0, 0, 50).toFloats()).isEqualTo(first.x().toFloats());
            assertThat(both.x().narrow(0, 50, 51).toFloats())
                    .isEqualTo(second.x().toFloats());
            assertThat(both.accepted())
                    .hasSize(101)
                    .startsWith(first.accepted())
                    .endsWith(second.accepted());
        }
    }

    @Test
    void whatTheKernelTellsIsWeighedByTheRows() {
        Hmc hmc = Hmc.of(0.5, 3);
        try (Scope scope = Scope.open()) {
            Tensor x = TARGET.draw(Key.of(1), 99);
            double found = energyError(Walk.apart(Key.of(2), hmc, TARGET, x, 2));
            double a = energyError(Walk.run(Key.of(2).child(0), hmc, TARGET, x.narrow(0, 0, 49), 2));
            double b = energyError(Walk.run(Key.of(2).child(1), hmc, TARGET, x.narrow(0, 49, 50), 2));
            assertThat(found).isEqualTo(49.0 / 99 * a + (1 - 49.0 / 99) * b);
        }
    }

    private static double energyError(Walk walk) {
        return walk.more().getOrDefault(StepInfo.ENERGY_ERROR, new double[] {Double.NaN})[0];
    }

    /** Chains that look at each other, few numbers and no steps stay together. */
    @Test
    void someStayTogether() {
        Kernel<?> svgd = new Svgd(0.1, Svgd.Update.PLAIN, Limits.NONE);
        try (Scope scope = Scope.open()) {
            Tensor many = TARGET.draw(Key.of(1), 100);
            Tensor few = TARGET.draw(Key.of(1), 10);
            assertThat(Walk.apart(Key.of(2), svgd, TARGET, many, 2).x().toFloats())
                    .isEqualTo(Walk.run(Key.of(2), svgd, TARGET, many, 2).x().toFloats());
            Mala mala = new Mala(0.5, 1);
            assertThat(Walk.apart(Key.of(2), mala, TARGET, few, 2).x().toFloats())
                    .isEqualTo(Walk.run(Key.of(2), mala, TARGET, few, 2).x().toFloats());
            assertThat(Walk.apart(Key.of(2), mala, TARGET, many, 0).x()).isSameAs(many);
        }
    }

    @Test
    void aFailureOfAHalfIsTold() {
        LogDensity broken = x -> {
            throw new IllegalStateException("no density here");
        };
        try (Scope scope = Scope.open()) {
            Tensor x = TARGET.draw(Key.of(1), 100);
            assertThatThrownBy(() -> Walk.apart(Key.of(2), new Mala(0.5, 1), broken, x, 2))
                    .hasMessage("no density here");
        }
    }
}

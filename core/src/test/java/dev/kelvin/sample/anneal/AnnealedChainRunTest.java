package dev.kelvin.sample.anneal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.energy.Gaussian;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.sample.Langevin;
import dev.kelvin.sample.Mala;
import dev.kelvin.sample.chain.ChainRun;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AnnealedChainRunTest {
    private static final Gaussian WIDE = Gaussian.isotropic(new double[2], 3);
    private static final Gaussian NARROW = Gaussian.isotropic(new double[] {1, 1}, 0.5);

    @Test
    void isOneWalkAfterTheOther() {
        try (Scope scope = Scope.open()) {
            List<LogDensity> path = Paths.geometric(WIDE, NARROW, 4, 1);
            Tensor x = WIDE.draw(Key.of(2), 10, DType.DOUBLE);
            List<Integer> seen = new ArrayList<>();
            List<double[]> visited = new ArrayList<>();
            AnnealedChainRun walk = AnnealedChainRun.run(Key.of(3), path, i -> Mala.of(1.0 / i), x, 2, (i, at) -> {
                seen.add(i);
                visited.add(at.toDoubles());
            });
            assertThat(seen).containsExactly(1, 2, 3);
            assertThat(walk.acceptance()).hasSize(4);
            assertThat(walk.acceptance()[0]).isNaN();
            Tensor at = x;
            for (int i = 1; i < 4; i++) {
                ChainRun own = ChainRun.run(Key.of(3).child(i), Mala.of(1.0 / i), path.get(i), at, 2);
                at = own.x();
                assertThat(visited.get(i - 1)).isEqualTo(at.toDoubles());
                assertThat(walk.acceptance()[i]).isEqualTo(own.acceptance().orElseThrow());
            }
            assertThat(walk.x().toDoubles()).isEqualTo(at.toDoubles());
            assertThat(x.count()).isEqualTo(20); // the start is the caller's
        }
    }

    @Test
    void kernelsWithoutAnAcceptRejectStepHaveNoAcceptance() {
        try (Scope scope = Scope.open()) {
            List<LogDensity> path = Paths.geometric(WIDE, NARROW, 3, 1);
            Tensor x = WIDE.draw(Key.of(4), 10);
            AnnealedChainRun walk = AnnealedChainRun.run(Key.of(5), path, i -> Langevin.of(0.1), x, 1, (i, at) -> {});
            assertThat(walk.acceptance()).containsOnly(Double.NaN);
            assertThatThrownBy(() -> AnnealedChainRun.run(Key.of(5), path, i -> Langevin.of(0.1), x, 0, (i, at) -> {}))
                    .hasMessage("steps must be at least 1, found 0");
        }
    }

    /** From a step that is a million times too large or too small, on a path whose widths fall by 20. */
    @Test
    void stepsFollowTheDensities() {
        Gaussian narrow = Gaussian.isotropic(new double[] {1, 1}, 0.15);
        try (Scope scope = Scope.open()) {
            List<LogDensity> path = Paths.geometric(WIDE, narrow, 40, 3);
            Tensor x = WIDE.draw(Key.of(6), 500);
            for (double step : new double[] {1e6, 1e-6}) {
                AnnealedChainRun walk =
                        AnnealedChainRun.adapting(Key.of(7), path, Mala.of(step), 0.6, x, 3, (i, at) -> {});
                for (int i = 1; i < path.size(); i++) {
                    assertThat(walk.acceptance()[i]).isBetween(0.35, 0.9);
                }
                Tensor mean = walk.x().mean(0L);
                assertThat(mean.toDoubles()).containsExactly(new double[] {1, 1}, within(0.05)); // 7 standard errors
                double spread = walk.x().minus(mean).square().mean().sqrt().item();
                assertThat(spread).isCloseTo(0.15, within(0.02));
            }
        }
    }
}

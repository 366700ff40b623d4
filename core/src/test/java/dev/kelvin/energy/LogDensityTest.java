package dev.kelvin.energy;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kelvin.sample.Mala;
import dev.kelvin.sample.chain.ChainRun;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import org.junit.jupiter.api.Test;

class LogDensityTest {
    /** Whoever hands a density of their own to a kernel is told what is wrong with its shape, not what libtorch thinks of it. */
    @Test
    void aDensityMustGiveOneValueForEachRow() {
        try (Scope scope = Scope.open()) {
            Tensor x = Tensors.normal(Key.of(1), 5, 2);
            LogDensity scalar = points -> points.square().sum().times(-0.5);
            LogDensity component =
                    points -> points.square().sum(1L).unsqueeze(1).times(-0.5);
            assertThatThrownBy(() -> ChainRun.run(Key.of(2), Mala.of(0.1), scalar, x, 3))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("expected one value for each row, [5]");
            assertThatThrownBy(() -> ChainRun.run(Key.of(2), Mala.of(0.1), component, x, 3))
                    .hasMessageContaining("[5, 1]")
                    .hasMessageContaining("expected one value for each row, [5]");
        }
    }
}

package dev.kelvin.diagnostic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import org.junit.jupiter.api.Test;

class JumpDistanceTest {
    @Test
    void byHand() {
        try (Scope scope = Scope.open()) {
            // chain 0: (0,0) (3,4) (3,4): 25, 0; chain 1: (1,1) (1,2) (0,2): 1, 1
            Tensor trace = Tensors.of(new float[] {0, 0, 1, 1, 3, 4, 1, 2, 3, 4, 0, 2}, 3, 2, 2);
            assertThat(JumpDistance.squared(trace)).isEqualTo(27.0 / 4);
            assertThat(JumpDistance.squared(trace.reshape(3, 4))).isEqualTo(27.0 / 8); // four chains of numbers
        }
    }

    /** More draws than a block: 0, 1, 4, 9, ... has jumps 2t + 1, whose squares' mean is (4n² − 1)/3 over n jumps. */
    @Test
    void blocksMissNoJump() {
        int n = 2 * JumpDistance.BLOCK + 10;
        double[] squares = new double[n + 1];
        for (int t = 0; t <= n; t++) {
            squares[t] = (double) t * t;
        }
        try (Scope scope = Scope.open()) {
            double expected = (4.0 * n * n - 1) / 3;
            assertThat(JumpDistance.squared(Tensors.of(squares, n + 1, 1)))
                    .isCloseTo(expected, within(1e-12 * expected));
        }
    }

    /** 2(1 − φ) for AR(1) of unit variance; 4 standard errors: a squared jump is χ²₁ of that size, with memory below 5. */
    @Test
    void autoregressiveStatTest() {
        double[] chain = ChainCases.autoregressive(Key.of(81), 0.5, 1, 50_000)[0];
        try (Scope scope = Scope.open()) {
            double error = 4 * Math.sqrt(2.0 * 5 / 50_000);
            double found = JumpDistance.squared(Tensors.of(chain, chain.length, 1));
            assertThat(found).isCloseTo(1, within(error));
            assertThat(found).isNotCloseTo(2 * (1 - 0.4), within(error));
        }
    }

    @Test
    void brokenTraces() {
        try (Scope scope = Scope.open()) {
            assertThat(JumpDistance.squared(Tensors.of(new double[] {1, Double.NaN, 2}, 3, 1)))
                    .isNaN();
            assertThatThrownBy(() -> JumpDistance.squared(Tensors.of(new double[3], 3)))
                    .hasMessageContaining("a trace is [draws, chains, ...]");
            assertThatThrownBy(() -> JumpDistance.squared(Tensors.of(new double[3], 1, 3)))
                    .hasMessageContaining("two draws or more");
        }
    }
}

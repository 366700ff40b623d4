package dev.kelvin.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class CholeskyTest {
    /** By hand: [[4, 2], [2, 5]] = LLᵀ with L = [[2, 0], [1, 2]]; what stands above the diagonal is not read. */
    @Test
    void factorByHand() {
        try (Scope scope = Scope.open()) {
            Tensor matrix = Tensors.of(new double[] {4, 99, 2, 5}, 2, 2);
            double[] factor = {2, 0, 1, 2};
            assertThat(Cholesky.of(matrix).toDoubles()).containsExactly(factor, within(1e-15));
            assertThat(Cholesky.checked(matrix).toDoubles()).containsExactly(factor, within(1e-15));
        }
    }

    @Test
    void whatIsNotPositiveDefiniteIsRefusedOnRequest() {
        try (Scope scope = Scope.open()) {
            Tensor matrix = Tensors.of(new double[] {1, 2, 2, 1}, 2, 2);
            assertThatThrownBy(() -> Cholesky.checked(matrix))
                    .isInstanceOf(TensorException.class)
                    .hasMessageContaining("positive-definite");
            assertThat(Cholesky.of(matrix).shape()).containsExactly(2, 2);
        }
    }
}

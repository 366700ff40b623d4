package dev.kelvin.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SymmetricEigenTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 30})
    void productsGiveTheMatrix(int d) {
        try (Scope scope = Scope.open()) {
            Tensor half = Tensors.normal(Key.of(d), DType.DOUBLE, Device.CPU, d, d);
            Tensor matrix = half.plus(half.transpose());
            SymmetricEigen eigen = SymmetricEigen.of(matrix);
            Tensor q = eigen.vectors();
            Tensor back = q.times(eigen.values()).matmul(q.transpose());
            assertThat(back.minus(matrix).norm().item()).isCloseTo(0, within(1e-13 * d));
            Tensor unit = q.transpose().matmul(q).minus(Tensors.eye(d, DType.DOUBLE));
            assertThat(unit.norm().item()).isCloseTo(0, within(1e-13 * d));
            assertThat(eigen.values().toDoubles()).isSorted();
            assertThat(SymmetricEigen.valuesOf(matrix)
                            .minus(eigen.values())
                            .norm()
                            .item())
                    .isCloseTo(0, within(1e-13 * d));
        }
    }

    /** Handles that outlive the pair they came in, in a scope that keeps them. */
    @Test
    void scopesOwnTheParts() {
        SymmetricEigen eigen;
        try (Scope scope = Scope.open()) {
            eigen = SymmetricEigen.of(Tensors.of(new double[] {2, 1, 1, 2}, 2, 2));
            scope.keep(eigen.values());
        }
        assertThat(eigen.values().toDoubles()).containsExactly(new double[] {1, 3}, within(1e-15));
        eigen.values().close();
        assertThatThrownBy(() -> eigen.vectors().toDoubles()).hasMessageContaining("freed");
    }

    @Test
    void diagonalAndMistakes() {
        try (Scope scope = Scope.open()) {
            Tensor matrix = Tensors.of(new double[] {1, 2, 3, 4, 5, 6}, 2, 3);
            assertThat(matrix.diagonal().toDoubles()).containsExactly(1, 5);
            assertThatThrownBy(() -> SymmetricEigen.of(matrix)).isInstanceOf(TensorException.class);
        }
    }
}

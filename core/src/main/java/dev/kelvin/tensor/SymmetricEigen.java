package dev.kelvin.tensor;

import org.bytedeco.pytorch.T_TensorTensor_T;
import org.bytedeco.pytorch.global.torch;

/**
 * A symmetric matrix as QΛQᵀ. Only the lower triangle is read, so that a matrix may be unsymmetric by rounding. It must be
 * finite: LAPACK does not promise to return from NaN.
 *
 * @param values Λ's diagonal, in ascending order: [d]
 * @param vectors Q: [d, d], the i-th column belongs to the i-th value
 */
public record SymmetricEigen(Tensor values, Tensor vectors) {
    /** Of a symmetric matrix, [d, d]. */
    public static SymmetricEigen of(Tensor matrix) {
        return TensorException.translated(() -> {
            try (T_TensorTensor_T found = torch.linalg_eigh(matrix.raw())) {
                // copies of the handles: the pair's own die with it
                return new SymmetricEigen(
                        Tensor.of(() -> new org.bytedeco.pytorch.Tensor(found.get0())),
                        Tensor.of(() -> new org.bytedeco.pytorch.Tensor(found.get1())));
            }
        });
    }

    /** Λ alone, in a fraction of the time. */
    public static Tensor valuesOf(Tensor matrix) {
        return Tensor.of(() -> torch.linalg_eigvalsh(matrix.raw()));
    }
}

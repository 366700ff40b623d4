package dev.kelvin.tensor;

import org.bytedeco.pytorch.T_TensorTensor_T;
import org.bytedeco.pytorch.global.torch;

/** The lower triangular L with LLᵀ = A, of a symmetric positive definite A, of which only the lower triangle is read. */
public final class Cholesky {
    private Cholesky() {}

    /** L, [d, d]; whether A is positive definite is not asked, so that nothing waits for a GPU: see {@link #checked}. */
    public static Tensor of(Tensor matrix) {
        return Tensor.of(() -> {
            try (T_TensorTensor_T found = torch.linalg_cholesky_ex(matrix.raw())) {
                return new org.bytedeco.pytorch.Tensor(found.get0()); // the pair's own dies with it
            }
        });
    }

    /** L, [d, d], of a matrix that may not be positive definite; a {@link TensorException} if it is not. */
    public static Tensor checked(Tensor matrix) {
        return Tensor.of(() -> torch.linalg_cholesky(matrix.raw()));
    }
}

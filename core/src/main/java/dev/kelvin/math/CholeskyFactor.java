package dev.kelvin.math;

import java.util.Arrays;

/** The lower triangular L with LLᵀ = A of a symmetric positive definite A, for small matrices of which there are many. */
public final class CholeskyFactor {
    private final double[][] lower;

    private CholeskyFactor(double[][] lower) {
        this.lower = lower;
    }

    /** By a matrix's lower triangle; an {@link ArithmeticException} if it is not positive definite. */
    public static CholeskyFactor of(double[][] matrix) {
        int d = matrix.length;
        double[][] lower = new double[d][d];
        for (int i = 0; i < d; i++) {
            for (int j = 0; j <= i; j++) {
                double sum = matrix[i][j];
                for (int k = 0; k < j; k++) {
                    sum -= lower[i][k] * lower[j][k];
                }
                if (i == j && !(sum > 0)) {
                    throw new ArithmeticException("the matrix is not positive definite");
                }
                lower[i][j] = i == j ? Math.sqrt(sum) : sum / lower[j][j];
            }
        }
        return new CholeskyFactor(lower);
    }

    /** L, row by row. */
    public double[][] lower() {
        return Arrays.stream(lower).map(double[]::clone).toArray(double[][]::new);
    }

    /** log det A. */
    public double logDeterminant() {
        double sum = 0;
        for (int i = 0; i < lower.length; i++) {
            sum += 2 * Math.log(lower[i][i]);
        }
        return sum;
    }

    /** L⁻¹b. */
    public double[] halfSolve(double... b) {
        double[] y = b.clone();
        for (int i = 0; i < y.length; i++) {
            for (int k = 0; k < i; k++) {
                y[i] -= lower[i][k] * y[k];
            }
            y[i] /= lower[i][i];
        }
        return y;
    }

    /** L⁻ᵀ, row by row. */
    public double[][] halves() {
        double[][] halves = new double[lower.length][lower.length];
        for (int j = 0; j < lower.length; j++) {
            halves[j][j] = 1;
            halves[j] = halfSolve(halves[j]);
        }
        return halves;
    }

    /** A⁻¹ = L⁻ᵀL⁻¹, row by row. */
    public double[][] inverse() {
        int d = lower.length;
        double[][] halves = halves();
        double[][] inverse = new double[d][d];
        for (int i = 0; i < d; i++) {
            for (int j = 0; j < d; j++) {
                for (int k = Math.max(i, j); k < d; k++) {
                    inverse[i][j] += halves[i][k] * halves[j][k];
                }
            }
        }
        return inverse;
    }

    /** bᵀA⁻¹b. */
    public double quadratic(double... b) {
        double sum = 0;
        for (double y : halfSolve(b)) {
            sum += y * y;
        }
        return sum;
    }

    /** tr A⁻¹B = ‖L⁻¹M‖² for B = MMᵀ. */
    public double traceOfQuotient(CholeskyFactor other) {
        double sum = 0;
        for (int j = 0; j < lower.length; j++) {
            int column = j;
            sum += quadratic(
                    Arrays.stream(other.lower).mapToDouble(row -> row[column]).toArray());
        }
        return sum;
    }
}

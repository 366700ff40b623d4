package dev.kelvin.data.table.scale;

import java.util.Arrays;

/** The inverse of a matrix by elimination with pivots (Gauss, Jordan). */
final class Inverse {
    private Inverse() {}

    /** Of a square matrix by rows. */
    static double[][] of(double[] matrix, int d) {
        double[][] left = new double[d][];
        double[][] right = new double[d][d];
        for (int i = 0; i < d; i++) {
            left[i] = Arrays.copyOfRange(matrix, i * d, (i + 1) * d);
            right[i][i] = 1;
        }
        for (int k = 0; k < d; k++) {
            int pivot = k;
            for (int i = k + 1; i < d; i++) {
                pivot = Math.abs(left[i][k]) > Math.abs(left[pivot][k]) ? i : pivot;
            }
            swap(left, k, pivot);
            swap(right, k, pivot);
            double scale = 1 / left[k][k];
            for (int j = 0; j < d; j++) {
                left[k][j] *= scale;
                right[k][j] *= scale;
            }
            for (int i = 0; i < d; i++) {
                double factor = left[i][k];
                if (i != k && factor != 0) {
                    for (int j = 0; j < d; j++) {
                        left[i][j] -= factor * left[k][j];
                        right[i][j] -= factor * right[k][j];
                    }
                }
            }
        }
        return right;
    }

    private static void swap(double[][] rows, int a, int b) {
        double[] row = rows[a];
        rows[a] = rows[b];
        rows[b] = row;
    }
}

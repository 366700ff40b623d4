package dev.kelvin.data.table;

import java.util.Arrays;

/**
 * Of a table's inputs over some of its rows, from two passes in double, so that a column far from 0 loses nothing.
 *
 * @param deviations with n below the fraction; 0 where a column has one value only
 * @param correlation R, with 1 on the diagonal
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record InputMoments(double[] means, double[] deviations, double[][] correlation) {
    /** Of these rows. */
    public static InputMoments of(NumberTable table, int... rows) {
        int d = table.width();
        double[] row = new double[d];
        double[] means = new double[d];
        for (int i = 0; i < rows.length; i++) {
            table.copy(rows[i], row, 0);
            for (int j = 0; j < d; j++) {
                means[j] += (row[j] - means[j]) / (i + 1);
            }
        }
        double[] deviations = new double[d];
        for (int each : rows) {
            table.copy(each, row, 0);
            for (int j = 0; j < d; j++) {
                double away = row[j] - means[j];
                deviations[j] += away * away;
            }
        }
        Arrays.setAll(deviations, j -> Math.sqrt(deviations[j] / rows.length));
        return new InputMoments(means, deviations, correlation(table, rows, means, deviations));
    }

    private static double[][] correlation(NumberTable table, int[] rows, double[] means, double[] deviations) {
        int d = means.length;
        double[] row = new double[d];
        double[][] products = new double[d][d];
        for (int each : rows) {
            table.copy(each, row, 0);
            for (int j = 0; j < d; j++) {
                row[j] = deviations[j] > 0 ? (row[j] - means[j]) / deviations[j] : 0;
            }
            for (int j = 0; j < d; j++) {
                double factor = row[j];
                double[] into = products[j];
                for (int k = 0; k < j; k++) {
                    into[k] += factor * row[k];
                }
            }
        }
        for (int j = 0; j < d; j++) {
            products[j][j] = 1;
            for (int k = 0; k < j; k++) {
                products[j][k] /= rows.length;
                products[k][j] = products[j][k];
            }
        }
        return products;
    }
}

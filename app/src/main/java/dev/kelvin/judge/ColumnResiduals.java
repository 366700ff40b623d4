package dev.kelvin.judge;

import dev.kelvin.math.CholeskyFactor;
import java.util.Arrays;

/**
 * What a Gaussian with the moments of rows expects of each column of a row, given the others:
 *
 * <pre>E[xⱼ|x₋ⱼ] = xⱼ − (P(x − m))ⱼ/Pⱼⱼ,  std[xⱼ|x₋ⱼ] = 1/√Pⱼⱼ,  P = Σ⁻¹</pre>
 */
public final class ColumnResiduals {
    /** Added to the variances, as a share of each: columns that follow from others have none of their own. */
    private static final double RIDGE = 1e-3;

    private final double[] mean;
    private final double[] deviations;
    private final double[][] precision; // of columns in units of their deviations

    /** Of rows, two or more, in the table's units. */
    public ColumnResiduals(double[][] rows) {
        int d = rows[0].length;
        mean = new double[d];
        deviations = new double[d];
        for (double[] row : rows) {
            for (int j = 0; j < d; j++) {
                mean[j] += row[j] / rows.length;
            }
        }
        for (double[] row : rows) {
            for (int j = 0; j < d; j++) {
                deviations[j] += (row[j] - mean[j]) * (row[j] - mean[j]) / rows.length;
            }
        }
        Arrays.setAll(deviations, j -> deviations[j] > 0 ? Math.sqrt(deviations[j]) : 1);
        double[][] correlations = new double[d][d];
        for (double[] row : rows) {
            double[] z = scaled(row);
            for (int j = 0; j < d; j++) {
                for (int k = 0; k < d; k++) {
                    correlations[j][k] += z[j] * z[k] / rows.length;
                }
            }
        }
        for (int j = 0; j < d; j++) {
            correlations[j][j] += RIDGE;
        }
        precision = CholeskyFactor.of(correlations).inverse();
    }

    private double[] scaled(double[] row) {
        double[] z = new double[mean.length];
        Arrays.setAll(z, j -> (row[j] - mean[j]) / deviations[j]);
        return z;
    }

    /** (xⱼ − E[xⱼ|x₋ⱼ])/std[xⱼ|x₋ⱼ] of each column. */
    public double[] of(double[] row) {
        double[] z = scaled(row);
        double[] residuals = new double[z.length];
        for (int j = 0; j < z.length; j++) {
            for (int k = 0; k < z.length; k++) {
                residuals[j] += precision[j][k] * z[k];
            }
            residuals[j] /= Math.sqrt(precision[j][j]);
        }
        return residuals;
    }

    /** std[xⱼ|x₋ⱼ] in the table's units. */
    public double deviation(int column) {
        return deviations[column] / Math.sqrt(precision[column][column]);
    }
}

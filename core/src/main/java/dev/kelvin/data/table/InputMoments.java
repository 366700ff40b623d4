package dev.kelvin.data.table;

/**
 * Means, standard deviations and correlations of a table's inputs over some of its rows, from two passes in double, so
 * that a column far from 0 loses nothing.
 */
public final class InputMoments {
    private final double[] means;
    private final double[] deviations;
    private final double[][] products; // sums of products of standardised inputs, of which the lower triangle is filled
    private final int rows;

    private InputMoments(double[] means, double[] deviations, double[][] products, int rows) {
        this.means = means;
        this.deviations = deviations;
        this.products = products;
        this.rows = rows;
    }

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
        double[] squares = new double[d];
        for (int each : rows) {
            table.copy(each, row, 0);
            for (int j = 0; j < d; j++) {
                double away = row[j] - means[j];
                squares[j] += away * away;
            }
        }
        double[] deviations = new double[d];
        for (int j = 0; j < d; j++) {
            deviations[j] = Math.sqrt(squares[j] / rows.length);
        }
        return new InputMoments(means, deviations, products(table, rows, means, deviations), rows.length);
    }

    private static double[][] products(NumberTable table, int[] rows, double[] means, double[] deviations) {
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
                for (int k = 0; k <= j; k++) {
                    into[k] += factor * row[k];
                }
            }
        }
        return products;
    }

    /** One an input. */
    public double[] means() {
        return means.clone();
    }

    /** With n below the fraction; 0 where a column has one value only. */
    public double[] deviations() {
        return deviations.clone();
    }

    /** R, with 1 on the diagonal. */
    public double[][] correlation() {
        int d = means.length;
        double[][] correlation = new double[d][d];
        for (int j = 0; j < d; j++) {
            correlation[j][j] = 1;
            for (int k = 0; k < j; k++) {
                correlation[j][k] = products[j][k] / rows;
                correlation[k][j] = correlation[j][k];
            }
        }
        return correlation;
    }
}

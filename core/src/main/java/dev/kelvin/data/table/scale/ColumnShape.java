package dev.kelvin.data.table.scale;

import dev.kelvin.data.table.NumberTable;
import java.util.Arrays;

/**
 * How far a column is from normal: a network under a Gaussian base learns a smooth density in many columns well, heavy tails,
 * skewness and values that many rows share badly, and normal scores take those away.
 *
 * @param skewness third standardised moment
 * @param kurtosis fourth standardised moment less 3, a Gaussian's
 * @param tied the share of rows on the most frequent value
 */
record ColumnShape(double skewness, double kurtosis, double tied) {
    private static final double SKEWED = 1;
    private static final double HEAVY = 2;
    private static final double TIED = 0.02;
    private static final int LOOKED_AT = 20_000;

    static ColumnShape of(double... values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        double mean = Arrays.stream(sorted).average().orElse(0);
        double second = 0;
        double third = 0;
        double fourth = 0;
        int run = 0;
        int longest = 0;
        for (int i = 0; i < sorted.length; i++) {
            double off = sorted[i] - mean;
            second += off * off / sorted.length;
            third += off * off * off / sorted.length;
            fourth += off * off * off * off / sorted.length;
            run = i > 0 && sorted[i] == sorted[i - 1] ? run + 1 : 1;
            longest = Math.max(longest, run);
        }
        double tied = longest < 2 ? 0 : (double) longest / sorted.length;
        return second > 0
                ? new ColumnShape(third / Math.pow(second, 1.5), fourth / (second * second) - 3, tied)
                : new ColumnShape(0, 0, 1);
    }

    boolean normalEnough() {
        return Math.abs(skewness) <= SKEWED && kurtosis <= HEAVY && tied <= TIED;
    }

    /** Whether all columns of these rows are normal enough; of many rows, of evenly spread ones. */
    static boolean allNormalEnough(NumberTable table, int... rows) {
        int n = Math.min(LOOKED_AT, rows.length);
        double[][] columns = new double[table.width()][n];
        double[] row = new double[table.width()];
        for (int i = 0; i < n; i++) {
            table.copy(rows[(int) ((long) i * rows.length / n)], row, 0);
            for (int j = 0; j < row.length; j++) {
                columns[j][i] = row[j];
            }
        }
        return Arrays.stream(columns).allMatch(column -> of(column).normalEnough());
    }
}

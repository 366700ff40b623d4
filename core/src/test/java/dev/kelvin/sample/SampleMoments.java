package dev.kelvin.sample;

/** Means over independent rows, measured in standard errors of what they should be. */
final class SampleMoments {
    /** A number made of one row. */
    @FunctionalInterface
    interface Statistic {
        double of(double[] row);
    }

    private SampleMoments() {}

    /** |mean of the statistic − expected| in its standard errors; rows of d numbers each. */
    static double deviation(double[] values, int d, Statistic statistic, double expected) {
        double sum = 0;
        double squares = 0;
        double[] row = new double[d];
        int n = values.length / d;
        for (int i = 0; i < n; i++) {
            System.arraycopy(values, i * d, row, 0, d);
            double term = statistic.of(row) - expected;
            sum += term;
            squares += term * term;
        }
        double mean = sum / n;
        double variance = squares / n - mean * mean;
        return Math.abs(mean) / Math.sqrt(variance / n);
    }

    /** The greatest deviation of the d means and the d(d + 1)/2 covariances about the stated mean. */
    static double worst(double[] values, double[] mean, double[][] covariance) {
        int d = mean.length;
        double worst = 0;
        for (int i = 0; i < d; i++) {
            int a = i;
            worst = Math.max(worst, deviation(values, d, row -> row[a], mean[a]));
            for (int j = 0; j <= i; j++) {
                int b = j;
                double found = deviation(values, d, row -> (row[a] - mean[a]) * (row[b] - mean[b]), covariance[a][b]);
                worst = Math.max(worst, found);
            }
        }
        return worst;
    }

    /** As many as {@link #worst} looks at. */
    static int count(int d) {
        return d + d * (d + 1) / 2;
    }
}

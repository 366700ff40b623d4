package dev.kelvin.metric.figure;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/** Figures of models of tables: likelihoods in the table's own units, and how samples' columns compare with the rows'. */
public final class TableFigures {
    public static final Figure SCORE = Figure.of("held_out_nll", "Negative held-out log-likelihood", "nats")
            .meaning("By a short annealing at every checkpoint: the validation score that checkpoints are compared by.")
            .lower();

    public static final Figure LOWER = Figure.of(
                    "log_likelihood_lower", "Lower bound of the held-out log-likelihood", "nats")
            .meaning("The mean log-density of held-out rows, in the table's units, with the upper bound of log Z.")
            .higher();

    public static final Figure UPPER = Figure.of(
                    "log_likelihood_upper", "Upper bound of the held-out log-likelihood", "nats")
            .meaning("The same with the lower bound of log Z.");

    public static final Figure OF_GAUSSIAN = Figure.of(
                    "log_likelihood_gaussian", "Held-out log-likelihood of a Gaussian", "nats")
            .meaning(
                    "Of a Gaussian with the mean and the covariance of the training rows: a baseline that a model should exceed.");

    public static final Figure LOG_Z = Figure.of("log_z", "log Z", "nats")
            .meaning(
                    "The estimate of the normaliser, by forward and backward weights together (Bennett's acceptance ratio).")
            .citing("neal2001", "grosse2015", "bennett1976");

    public static final Figure EFFECTIVE = Figure.of("log_z_effective", "Effective weights of log Z")
            .meaning(
                    "The effective sample size of annealed importance sampling's weights: if it is small, the estimate rests on a few chains.");

    public static final Figure AUPR = Figure.of("aupr_anomalies", "AUPR of anomalies")
            .meaning(
                    "The area under the precision-recall curve with anomalies as positives, ranked by the lowest f; chance level is their fraction.")
            .higher();

    public static final Figure MARGINAL = Figure.of("marginal_distance", "Largest distance of a column's distribution")
            .meaning(
                    "The largest Kolmogorov-Smirnov distance, over the columns, between samples and held-out rows; 0 is perfect; the expected distance of equal distributions, at these sample sizes, is given beside it.")
            .lower(0.1, 0.3);

    public static final Figure MARGINAL_FLOOR = Figure.of(
                    "marginal_distance_floor", "Expected distance of equal distributions")
            .meaning("The distance that one column would have in the mean if samples and rows had one distribution.");

    public static final Figure CORRELATION = Figure.of("correlation_difference", "Largest difference of a correlation")
            .meaning(
                    "The largest difference, over all pairs of columns, between samples' correlation and held-out rows'.")
            .lower(0.1, 0.3);

    /** The mean of Kolmogorov's distribution. */
    private static final double KOLMOGOROV_MEAN = 0.8687;

    private TableFigures() {}

    /** How samples' columns and correlations compare with rows', both in the table's units. */
    public static Map<String, Double> compared(double[][] samples, double[][] rows) {
        int d = rows[0].length;
        double marginal = 0;
        double correlation = 0;
        for (int i = 0; i < d; i++) {
            double[] one = column(samples, i);
            double[] other = column(rows, i);
            marginal = Math.max(marginal, distance(one, other));
            for (int j = 0; j < i; j++) {
                double apart = correlation(one, column(samples, j)) - correlation(other, column(rows, j));
                correlation = Math.max(correlation, Math.abs(apart));
            }
        }
        Map<String, Double> figures = new LinkedHashMap<>();
        figures.put(MARGINAL.name(), marginal);
        figures.put(MARGINAL_FLOOR.name(), KOLMOGOROV_MEAN * Math.sqrt(1.0 / samples.length + 1.0 / rows.length));
        if (d > 1) {
            figures.put(CORRELATION.name(), correlation);
        }
        return figures;
    }

    private static double[] column(double[][] rows, int i) {
        return Arrays.stream(rows).mapToDouble(row -> row[i]).toArray();
    }

    /** sup |F − G| of two samples. */
    static double distance(double[] one, double[] other) {
        double[] a = Arrays.stream(one).sorted().toArray();
        double[] b = Arrays.stream(other).sorted().toArray();
        int i = 0;
        int j = 0;
        double largest = 0;
        while (i < a.length && j < b.length) {
            double at = Math.min(a[i], b[j]);
            while (i < a.length && a[i] <= at) {
                i++;
            }
            while (j < b.length && b[j] <= at) {
                j++;
            }
            largest = Math.max(largest, Math.abs((double) i / a.length - (double) j / b.length));
        }
        return largest;
    }

    /** Of two columns; 0 where one is constant. */
    public static double correlation(double[] one, double[] other) {
        double x = Arrays.stream(one).average().orElse(0);
        double y = Arrays.stream(other).average().orElse(0);
        double xy = 0;
        double xx = 0;
        double yy = 0;
        for (int i = 0; i < one.length; i++) {
            xy += (one[i] - x) * (other[i] - y);
            xx += (one[i] - x) * (one[i] - x);
            yy += (other[i] - y) * (other[i] - y);
        }
        return xx == 0 || yy == 0 ? 0 : xy / Math.sqrt(xx * yy);
    }
}

package dev.kelvin.metric;

import dev.kelvin.energy.LogDensity;
import dev.kelvin.math.CholeskyFactor;
import dev.kelvin.part.Check;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * Which columns make a row odd: for each column the log-odds that its value has nothing to do with the rest of the row, against
 * the model in which it has.
 *
 * <pre>
 * sⱼ = log qⱼ(xⱼ) − log p(xⱼ | x₋ⱼ) = log qⱼ(xⱼ) + log ∫ p(c, x₋ⱼ) dc − log p(x)
 * qⱼ = ½ · a Gaussian mixture on the column's own quantiles + ½ · a Cauchy of its width, for values that no training row has
 * </pre>
 *
 * <p>If exactly one column was replaced by a draw of qⱼ, each as likely as the other, softmax(s) is the posterior of which one it
 * was: no other rule names it more often. In words for a user: "given the other columns of this row, a value like this in column j is
 * exp(sⱼ) times likelier to be unrelated to them". log Z cancels, so that f need not be normalised.
 *
 * <p>{@link #quick} takes a Gaussian with the training rows' moments for p: one product of matrices a row, for every row.
 * {@link #thorough} takes the model and a quadrature over c, some {@value #GRID} evaluations of f for each of the
 * columns that the Gaussian
 * suspects, for the rows that are odd. Coordinates must be columns: of a model in others take {@link dev.kelvin.energy.Affine}.
 */
public final class OddColumns {
    /** Quantiles of a column, at which another value of it is tried. */
    private static final int GRID = 20;

    /** And values about the one that a Gaussian expects, in its standard deviations, where the model may be narrow. */
    private static final double[] ABOUT = {-3, -1.8, -1, -0.4, 0, 0.4, 1, 1.8, 3};

    /** The share of qⱼ that is not the column's own distribution. */
    private static final double UNSEEN = 0.5;

    /** Rows a batch of the model, times columns and values tried: some megabytes at the network's widest layer. */
    private static final int BATCH = 1 << 14;

    /** Columns that the model is asked about: the one that is odd is among the first few by the Gaussian. */
    private static final int SUSPECTS = 4;

    /** Places at which log qⱼ is looked up between, over the quantiles and some widths beyond. */
    private static final int LOOKED_UP = 512;

    private static final double BEYOND = 5; // widths, where the mixture is nothing beside the Cauchy

    private final int columns;
    private final Facts facts;
    private final double[][] logUnrelated; // [columns][LOOKED_UP], log qⱼ at evenly spaced places
    private final double[] norms; // ½ log((Σ⁻¹)ⱼⱼ/2π)

    /**
     * What it knows of the training rows, to be kept as JSON.
     *
     * @param mean of each column
     * @param precision Σ⁻¹
     * @param deviations of each column
     * @param grid quantiles of each column, rising
     * @param bandwidths of each column's mixture on its quantiles
     */
    public record Facts(
            double[] mean, double[][] precision, double[] deviations, double[][] grid, double[] bandwidths) {}

    /** From what was kept. */
    public OddColumns(Facts facts) {
        this.facts = facts;
        columns = facts.mean.length;
        logUnrelated = new double[columns][LOOKED_UP];
        norms = new double[columns];
        for (int j = 0; j < columns; j++) {
            norms[j] = 0.5 * Math.log(facts.precision[j][j] / (2 * Math.PI));
            for (int k = 0; k < LOOKED_UP; k++) {
                logUnrelated[j][k] = logUnrelated(j, low(j) + k * (high(j) - low(j)) / (LOOKED_UP - 1));
            }
        }
    }

    private double low(int j) {
        return facts.grid[j][0] - BEYOND * facts.bandwidths[j];
    }

    private double high(int j) {
        return facts.grid[j][GRID - 1] + BEYOND * facts.bandwidths[j];
    }

    /** What it knows of the training rows. */
    public Facts facts() {
        return facts;
    }

    private static Facts facts(double[] mean, double[][] covariance, double[][] sorted) {
        int columns = mean.length;
        double[] deviations = new double[columns];
        double[][] grid = new double[columns][GRID];
        double[] bandwidths = new double[columns];
        for (int j = 0; j < columns; j++) {
            double[] all = sorted[j];
            deviations[j] = Math.sqrt(covariance[j][j]);
            for (int k = 0; k < GRID; k++) {
                grid[j][k] = all[(int) Math.min(all.length - 1, (k + 0.5) / GRID * all.length)];
            }
            double quartiles = all[3 * all.length / 4] - all[all.length / 4];
            // Silverman 1986 for as many points as the grid has
            double width = Math.min(deviations[j], quartiles > 0 ? quartiles / 1.34 : deviations[j]);
            bandwidths[j] = 0.9 * width * Math.pow(GRID, -0.2);
        }
        return new Facts(mean, CholeskyFactor.of(covariance).inverse(), deviations, grid, bandwidths);
    }

    /** From training rows [n, columns], in coordinates that are columns, with the noise of training. */
    public static OddColumns of(Tensor rows) {
        int n = Math.toIntExact(Check.atLeast("rows", rows.size(0), 2));
        int d = (int) rows.size(1);
        double[] x = rows.toDoubles();
        double[] mean = new double[d];
        double[][] covariance = new double[d][d];
        double[][] sorted = new double[d][n];
        for (int i = 0; i < x.length; i++) {
            mean[i % d] += x[i] / n;
            sorted[i % d][i / d] = x[i];
        }
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < d; j++) {
                for (int k = 0; k <= j; k++) {
                    covariance[j][k] += (x[i * d + j] - mean[j]) * (x[i * d + k] - mean[k]) / (n - 1);
                }
            }
        }
        for (int j = 0; j < d; j++) {
            Arrays.sort(sorted[j]);
            // a column that never changes, or that follows from others, still has a conditional variance
            covariance[j][j] = covariance[j][j] > 0 ? covariance[j][j] * (1 + 1e-6) : 1e-12;
            for (int k = 0; k < j; k++) {
                covariance[k][j] = covariance[j][k];
            }
        }
        return new OddColumns(facts(mean, covariance, sorted));
    }

    /** sⱼ of every row by the Gaussian, [rows][columns]. */
    public double[][] quick(Tensor rows) {
        double[] x = rows.toDoubles();
        double[][] scores = new double[x.length / columns][columns];
        for (int i = 0; i < scores.length; i++) {
            double[] centred = centred(x, i);
            for (int j = 0; j < columns; j++) {
                double residual = residual(centred, j);
                double logConditional = norms[j] - 0.5 * residual * residual;
                scores[i][j] = lookedUp(j, x[i * columns + j]) - logConditional;
            }
        }
        return scores;
    }

    private double[] centred(double[] x, int row) {
        double[] centred = new double[columns];
        Arrays.setAll(centred, k -> x[row * columns + k] - facts.mean[k]);
        return centred;
    }

    /** (xⱼ − E[xⱼ|x₋ⱼ])/std[xⱼ|x₋ⱼ] of each column of a row, by the Gaussian. */
    public double[] residuals(double... row) {
        double[] centred = centred(row, 0);
        return IntStream.range(0, columns)
                .mapToDouble(j -> residual(centred, j))
                .toArray();
    }

    /** std[xⱼ|x₋ⱼ] of the Gaussian. */
    public double deviation(int column) {
        return 1 / Math.sqrt(facts.precision[column][column]);
    }

    /** (xⱼ − E[xⱼ|x₋ⱼ])/std[xⱼ|x₋ⱼ] = (Σ⁻¹(x − m))ⱼ/√(Σ⁻¹)ⱼⱼ of the Gaussian. */
    private double residual(double[] centred, int j) {
        double sum = 0;
        double[] row = facts.precision[j];
        for (int k = 0; k < columns; k++) {
            sum += row[k] * centred[k];
        }
        return sum / Math.sqrt(row[j]);
    }

    /** log qⱼ between the places where it is known: within 1e-3 of it, and twenty times as fast. */
    private double lookedUp(int j, double value) {
        double at = (value - low(j)) / (high(j) - low(j)) * (LOOKED_UP - 1);
        if (!(at >= 0 && at < LOOKED_UP - 1)) {
            return logUnrelated(j, value);
        }
        int k = (int) at;
        return logUnrelated[j][k] + (at - k) * (logUnrelated[j][k + 1] - logUnrelated[j][k]);
    }

    /** log qⱼ. */
    private double logUnrelated(int j, double value) {
        double sum = 0;
        double scale = facts.bandwidths[j];
        for (double knot : facts.grid[j]) {
            double off = (value - knot) / scale;
            sum += off * off < 80 ? Math.exp(-0.5 * off * off) : 0;
        }
        double own = sum / (GRID * scale * Math.sqrt(2 * Math.PI));
        double wide = (value - facts.mean[j]) / facts.deviations[j];
        double unseen = 1 / (Math.PI * facts.deviations[j] * (1 + wide * wide));
        return Math.log((1 - UNSEEN) * own + UNSEEN * unseen);
    }

    /** sⱼ of rows by the model f, [rows][columns], of the columns that the Gaussian suspects most; −∞ of the others. */
    public double[][] thorough(LogDensity f, Tensor rows) {
        double[] x = rows.toDoubles();
        int n = x.length / columns;
        int suspects = Math.min(SUSPECTS, columns);
        int[][] suspected = Arrays.stream(quick(rows))
                .map(scores -> highest(scores, suspects))
                .toArray(int[][]::new);
        double[][] scores = new double[n][columns];
        int tried = GRID + ABOUT.length + 1;
        int atOnce = Math.max(1, BATCH / (suspects * tried));
        for (int from = 0; from < n; from += atOnce) {
            int count = Math.min(atOnce, n - from);
            double[] values = new double[count * suspects * tried];
            float[] all = new float[values.length * columns];
            for (int i = 0; i < count; i++) {
                fill(x, from + i, suspected[from + i], values, all, i * suspects * tried);
            }
            double[] logs;
            try (Scope scope = Scope.open()) {
                logs = f.at(Tensors.of(all, values.length, columns).to(rows.device()))
                        .toDoubles();
            }
            for (int i = 0; i < count; i++) {
                Arrays.fill(scores[from + i], Double.NEGATIVE_INFINITY);
                for (int k = 0; k < suspects; k++) {
                    int j = suspected[from + i][k];
                    int at = (i * suspects + k) * tried;
                    double own = x[(from + i) * columns + j];
                    scores[from + i][j] = logUnrelated(j, own)
                            + logIntegral(values, logs, at, tried)
                            - logs[ownPlace(values, at, tried, own)];
                }
            }
        }
        return scores;
    }

    /** The places of the highest scores. */
    private static int[] highest(double[] scores, int count) {
        return IntStream.range(0, scores.length)
                .boxed()
                .sorted(Comparator.comparingDouble(j -> -scores[j]))
                .limit(count)
                .mapToInt(Integer::intValue)
                .toArray();
    }

    /** For each of some columns, the row with other values of it, rising. */
    private void fill(double[] x, int row, int[] suspected, double[] values, float[] all, int first) {
        double[] centred = centred(x, row);
        int tried = GRID + ABOUT.length + 1;
        for (int s = 0; s < suspected.length; s++) {
            int j = suspected[s];
            int at = first + s * tried;
            double own = x[row * columns + j];
            double std = deviation(j);
            double expected = own - residual(centred, j) * std;
            System.arraycopy(facts.grid[j], 0, values, at, GRID);
            for (int k = 0; k < ABOUT.length; k++) {
                values[at + GRID + k] = expected + ABOUT[k] * std;
            }
            values[at + tried - 1] = own;
            Arrays.sort(values, at, at + tried);
            for (int k = 0; k < tried; k++) {
                int to = (at + k) * columns;
                for (int c = 0; c < columns; c++) {
                    all[to + c] = (float) (c == j ? values[at + k] : x[row * columns + c]);
                }
            }
        }
    }

    private static int ownPlace(double[] values, int at, int tried, double own) {
        return Arrays.binarySearch(values, at, at + tried, own);
    }

    /** log of the trapezoid rule's ∫ exp f over the values. */
    private static double logIntegral(double[] values, double[] logs, int at, int tried) {
        double largest = Arrays.stream(logs, at, at + tried).reduce(Double.NEGATIVE_INFINITY, Math::max);
        double sum = 0;
        for (int k = 1; k < tried; k++) {
            double width = values[at + k] - values[at + k - 1];
            sum += width / 2 * (Math.exp(logs[at + k] - largest) + Math.exp(logs[at + k - 1] - largest));
        }
        return largest + Math.log(sum);
    }

    /** The column with the highest score. */
    public static int first(double... scores) {
        return Scores.likeliest(scores);
    }
}

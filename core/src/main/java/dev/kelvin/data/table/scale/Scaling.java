package dev.kelvin.data.table.scale;

import dev.kelvin.data.table.InputMoments;
import dev.kelvin.data.table.NumberTable;
import dev.kelvin.math.NormalQuantiles;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.SymmetricEigen;
import dev.kelvin.tensor.Tensors;
import java.util.Collections;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/**
 * From a table's own units x to a model's coordinates z = W·φ((x − m)/s), and back; φ is a map of each column to normal scores,
 * or nothing. With R the correlation of the columns,
 * whitening takes W = R^(−1/2), the symmetric root (ZCA-cor; Kessy, Lewin, Strimmer 2018): of all that whiten it leaves
 * each coordinate most like its own column, so that what is said of a coordinate can be said of the column.
 *
 * <p>Eigenvalues of R below {@link #FLOOR} count as that, so that columns that follow from others aren't blown up to noise.
 *
 * @param kind how
 * @param means m, one an input
 * @param deviations s, one an input; 1 where the rows had one value only, and for {@code none}
 * @param scores φ, one an input; empty unless the kind is {@code normal-scores}
 * @param matrix W by rows; empty unless the kind whitens
 * @param logDeterminant log |dz/dx| less φ's part of it, which differs from row to row: {@link Scaler#logDeterminant}
 */
public record Scaling(
        Kind kind,
        List<Double> means,
        List<Double> deviations,
        List<NormalQuantiles> scores,
        List<List<Double>> matrix,
        double logDeterminant) {
    /** The least eigenvalue of a correlation matrix that is taken for what it is; below, floats lose it. */
    public static final double FLOOR = 1e-6;

    /** How a table is scaled. */
    public enum Kind {
        /** As it is. */
        NONE,
        /** Each column to mean 0 and standard deviation 1. */
        STANDARDISE,
        /** And then all to uncorrelated ones. */
        WHITEN,
        /** Each column to normal scores, and then all to uncorrelated ones: for heavy tails, bounds and repeated values. */
        NORMAL_SCORES
    }

    public Scaling {
        means = List.copyOf(means);
        deviations = List.copyOf(deviations);
        scores = List.copyOf(scores);
        matrix = matrix.stream().map(List::copyOf).toList();
    }

    /** The kind that suits these rows: normal scores where a column is far from normal and noise is added, otherwise whitened. */
    public static Kind suited(NumberTable table, double noise, int... rows) {
        return noise > 0 && !ColumnShape.allNormalEnough(table, rows) ? Kind.NORMAL_SCORES : Kind.WHITEN;
    }

    /**
     * Made from these rows of a table.
     *
     * @param noise what is added to every value when it is learnt, in units of its column's deviation; above 0 for normal scores
     */
    public static Scaling of(Kind kind, double noise, NumberTable table, int... rows) {
        int d = table.width();
        if (kind == Kind.NONE) {
            return new Scaling(kind, Collections.nCopies(d, 0.0), Collections.nCopies(d, 1.0), List.of(), List.of(), 0);
        }
        InputMoments moments = InputMoments.of(table, rows);
        double[] deviations =
                DoubleStream.of(moments.deviations()).map(s -> s > 0 ? s : 1).toArray();
        double units = -DoubleStream.of(deviations).map(Math::log).sum();
        Scaling standard =
                new Scaling(Kind.STANDARDISE, list(moments.means()), list(deviations), List.of(), List.of(), units);
        return switch (kind) {
            case NONE, STANDARDISE -> standard;
            case WHITEN -> standard.whitened(kind, List.of(), moments.correlation());
            case NORMAL_SCORES -> {
                List<NormalQuantiles> scores = standard.normalScores(table, noise, rows);
                yield standard.whitened(kind, scores, standard.correlation(scores, table, rows));
            }
        };
    }

    private Scaling whitened(Kind how, List<NormalQuantiles> by, double[][] correlation) {
        Root root = Root.of(correlation);
        return new Scaling(
                how,
                means,
                deviations,
                by,
                Stream.of(root.inverse).map(Scaling::list).toList(),
                logDeterminant + root.logDeterminant);
    }

    private List<NormalQuantiles> normalScores(NumberTable table, double noise, int... rows) {
        int d = width();
        double[][] columns = new double[d][rows.length];
        double[] x = new double[d];
        for (int i = 0; i < rows.length; i++) {
            table.copy(rows[i], x, 0);
            for (int j = 0; j < d; j++) {
                columns[j][i] = (x[j] - means.get(j)) / deviations.get(j);
            }
        }
        return Stream.of(columns)
                .map(column -> NormalQuantiles.of(column, noise))
                .toList();
    }

    /** Of the columns' normal scores. */
    private double[][] correlation(List<NormalQuantiles> by, NumberTable table, int... rows) {
        int d = width();
        Scaler scaler = new Scaling(Kind.NORMAL_SCORES, means, deviations, by, List.of(), 0).scaler();
        double[] mean = new double[d];
        double[][] sums = new double[d][d];
        for (int row : rows) {
            double[] u = scaler.columns(table.inputs(row));
            for (int i = 0; i < d; i++) {
                mean[i] += u[i] / rows.length;
                for (int j = 0; j <= i; j++) {
                    sums[i][j] += u[i] * u[j] / rows.length;
                }
            }
        }
        double[][] correlation = new double[d][d];
        for (int i = 0; i < d; i++) {
            for (int j = 0; j <= i; j++) {
                double variances = (sums[i][i] - mean[i] * mean[i]) * (sums[j][j] - mean[j] * mean[j]);
                double found = variances > 0 ? (sums[i][j] - mean[i] * mean[j]) / Math.sqrt(variances) : 0;
                correlation[i][j] = i == j ? 1 : found;
                correlation[j][i] = correlation[i][j];
            }
        }
        return correlation;
    }

    private static List<Double> list(double... values) {
        return DoubleStream.of(values).boxed().toList();
    }

    /** How many inputs there are. */
    public int width() {
        return means.size();
    }

    /** It as arithmetic. */
    public Scaler scaler() {
        return new Scaler(this);
    }

    /** R^(−1/2) and the logarithm of its determinant. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Root(double[][] inverse, double logDeterminant) {
        static Root of(double[][] correlation) {
            int d = correlation.length;
            try (Scope scope = Scope.open()) {
                double[] flat =
                        Stream.of(correlation).flatMapToDouble(DoubleStream::of).toArray();
                SymmetricEigen eigen = SymmetricEigen.of(Tensors.of(flat, d, d));
                double[] values = eigen.values().toDoubles();
                double[] vectors = eigen.vectors().to(DType.DOUBLE).contiguous().toDoubles();
                double[][] inverse = new double[d][d];
                double logDeterminant = 0;
                for (int k = 0; k < d; k++) {
                    double value = Math.max(values[k], FLOOR);
                    double root = 1 / Math.sqrt(value);
                    logDeterminant -= Math.log(value) / 2;
                    for (int i = 0; i < d; i++) {
                        double left = vectors[i * d + k] * root;
                        for (int j = 0; j < d; j++) {
                            inverse[i][j] += left * vectors[j * d + k];
                        }
                    }
                }
                return new Root(inverse, logDeterminant);
            }
        }
    }
}

package dev.kelvin.data.table;

import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.SymmetricEigen;
import dev.kelvin.tensor.Tensors;
import java.util.Collections;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/**
 * From a table's own units x to a model's coordinates z = W(x − m)/s, and back. With R the correlation of the columns,
 * whitening takes W = R^(−1/2), the symmetric root (ZCA-cor; Kessy, Lewin, Strimmer 2018): of all that whiten it leaves
 * each coordinate most like its own column, so that what is said of a coordinate can be said of the column.
 *
 * <p>Eigenvalues of R below {@link #FLOOR} count as that, so that columns that follow from others aren't blown up to noise.
 *
 * @param kind how
 * @param means m, one an input
 * @param deviations s, one an input; 1 where the rows had one value only, and for {@code none}
 * @param matrix W by rows; empty unless the kind is {@code whiten}
 * @param logDeterminant log |dz/dx|: log p of a row in the table's units is log p of its z plus this
 */
public record Scaling(
        Kind kind, List<Double> means, List<Double> deviations, List<List<Double>> matrix, double logDeterminant) {
    /** The least eigenvalue of a correlation matrix that is taken for what it is; below, floats lose it. */
    public static final double FLOOR = 1e-6;

    /** How a table is scaled. */
    public enum Kind {
        /** As it is. */
        NONE,
        /** Each column to mean 0 and standard deviation 1. */
        STANDARDISE,
        /** And then all to uncorrelated ones. */
        WHITEN
    }

    public Scaling {
        means = List.copyOf(means);
        deviations = List.copyOf(deviations);
        matrix = matrix.stream().map(List::copyOf).toList();
    }

    /** Made from these rows of a table. */
    public static Scaling of(Kind kind, NumberTable table, int... rows) {
        int d = table.width();
        if (kind == Kind.NONE) {
            return new Scaling(kind, Collections.nCopies(d, 0.0), Collections.nCopies(d, 1.0), List.of(), 0);
        }
        InputMoments moments = InputMoments.of(table, rows);
        double[] deviations =
                DoubleStream.of(moments.deviations()).map(s -> s > 0 ? s : 1).toArray();
        double logDeterminant = -DoubleStream.of(deviations).map(Math::log).sum();
        if (kind == Kind.STANDARDISE) {
            return new Scaling(kind, list(moments.means()), list(deviations), List.of(), logDeterminant);
        }
        Root root = Root.of(moments.correlation());
        return new Scaling(
                kind,
                list(moments.means()),
                list(deviations),
                Stream.of(root.inverse).map(Scaling::list).toList(),
                logDeterminant + root.logDeterminant);
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
    private static final class Root {
        private final double[][] inverse;
        private final double logDeterminant;

        private Root(double[][] inverse, double logDeterminant) {
            this.inverse = inverse;
            this.logDeterminant = logDeterminant;
        }

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

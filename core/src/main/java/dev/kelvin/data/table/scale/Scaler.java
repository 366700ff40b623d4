package dev.kelvin.data.table.scale;

import dev.kelvin.math.NormalQuantiles;
import java.util.Arrays;
import java.util.List;

/** A {@link Scaling} as arithmetic on blocks of rows, [n, width] one after the other. Threads may share it. */
public final class Scaler {
    private final int width;
    private final double[] means;
    private final double[] deviations;
    private final double[] inverse; // 1/s
    private final double[] matrix; // W by rows, which are its columns too; empty for I
    private final double[][] root; // W⁻¹
    private final NormalQuantiles.Scorer[] scores; // φ; empty where it is nothing
    private final double constant; // of the log-determinant

    Scaler(Scaling scaling) {
        width = scaling.width();
        means = scaling.means().stream().mapToDouble(Double::doubleValue).toArray();
        deviations =
                scaling.deviations().stream().mapToDouble(Double::doubleValue).toArray();
        inverse = Arrays.stream(deviations).map(s -> 1 / s).toArray();
        matrix = scaling.matrix().stream()
                .flatMap(List::stream)
                .mapToDouble(Double::doubleValue)
                .toArray();
        root = matrix.length == 0 ? new double[0][] : inverse(matrix, width);
        scores = scaling.scores().stream().map(NormalQuantiles::scorer).toArray(NormalQuantiles.Scorer[]::new);
        constant = scaling.logDeterminant();
    }

    /** The inverse of a square matrix, given by rows, by elimination with pivots (Gauss, Jordan). */
    private static double[][] inverse(double[] matrix, int d) {
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

    /** W by rows, [width, width]. */
    public double[] whitening() {
        return matrix.length == 0 ? identity() : matrix.clone();
    }

    /** W⁻¹ by rows, [width, width]. */
    public double[] unwhitening() {
        return root.length == 0
                ? identity()
                : Arrays.stream(root).flatMapToDouble(Arrays::stream).toArray();
    }

    private double[] identity() {
        double[] identity = new double[width * width];
        for (int i = 0; i < width; i++) {
            identity[i * width + i] = 1;
        }
        return identity;
    }

    /** φ((x − m)/s) of one row: its columns, scaled each by itself. */
    public double[] columns(double[] x) {
        double[] columns = new double[width];
        Arrays.setAll(columns, i -> column(i, x[i]));
        return columns;
    }

    private double column(int i, double x) {
        double standard = (x - means[i]) * inverse[i];
        return scores.length == 0 ? standard : scores[i].forward(standard);
    }

    /** The row whose columns these are: the other way round. */
    public double[] uncolumns(double[] columns) {
        double[] x = new double[width];
        Arrays.setAll(
                x, i -> means[i] + deviations[i] * (scores.length == 0 ? columns[i] : scores[i].back(columns[i])));
        return x;
    }

    /** log |dz/dx| at each row: log p of a row in the table's units is log p of its z plus this. */
    public double[] logDeterminant(double[] x, int rows) {
        double[] logs = new double[rows];
        Arrays.fill(logs, constant);
        if (scores.length > 0) {
            for (int r = 0; r < rows; r++) {
                for (int i = 0; i < width; i++) {
                    logs[r] += scores[i].logSlope((x[r * width + i] - means[i]) * inverse[i]);
                }
            }
        }
        return logs;
    }

    /** x to z in float, as models take it: centred in double, so that a column far from 0 loses nothing. */
    public void forward(double[] x, int rows, float[] z) {
        for (int r = 0; r < rows; r++) {
            int at = r * width;
            if (matrix.length == 0) {
                for (int i = 0; i < width; i++) {
                    z[at + i] = (float) column(i, x[at + i]);
                }
                continue;
            }
            Arrays.fill(z, at, at + width, 0);
            for (int j = 0; j < width; j++) {
                float factor = (float) column(j, x[at + j]);
                int from = j * width;
                for (int i = 0; i < width; i++) {
                    z[at + i] += (float) matrix[from + i] * factor;
                }
            }
        }
    }

    /** z to x: samples in the table's own units. */
    public void back(double[] z, int rows, double[] x) {
        double[] row = new double[width];
        for (int r = 0; r < rows; r++) {
            int at = r * width;
            for (int i = 0; i < width; i++) {
                double sum = z[at + i];
                if (matrix.length > 0) {
                    sum = 0;
                    for (int j = 0; j < width; j++) {
                        sum += root[i][j] * z[at + j];
                    }
                }
                row[i] = sum;
            }
            System.arraycopy(uncolumns(row), 0, x, at, width);
        }
    }
}

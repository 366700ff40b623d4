package dev.kelvin.data.table;

import java.util.Arrays;
import java.util.List;

/** A {@link Scaling} as arithmetic on blocks of rows, [n, width] one after the other. Threads may share it. */
public final class Scaler {
    private final int width;
    private final double[] means;
    private final double[] deviations;
    private final double[] inverse; // 1/s
    private final double[] matrix; // W by rows, which are its columns too; empty for I
    private final float[] floats; // the same
    private final double[][] root; // W⁻¹

    Scaler(Scaling scaling) {
        width = scaling.width();
        means = scaling.means().stream().mapToDouble(Double::doubleValue).toArray();
        deviations =
                scaling.deviations().stream().mapToDouble(Double::doubleValue).toArray();
        inverse = new double[width];
        for (int i = 0; i < width; i++) {
            inverse[i] = 1 / deviations[i];
        }
        matrix = scaling.matrix().stream()
                .flatMap(List::stream)
                .mapToDouble(Double::doubleValue)
                .toArray();
        floats = new float[matrix.length];
        for (int i = 0; i < matrix.length; i++) {
            floats[i] = (float) matrix[i];
        }
        root = matrix.length == 0 ? new double[0][] : Inverse.of(matrix, width);
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

    /** (x − m)/s of one row. */
    public double[] standardised(double[] x) {
        double[] standard = new double[width];
        Arrays.setAll(standard, i -> (x[i] - means[i]) * inverse[i]);
        return standard;
    }

    /** m + s·x of one row: the other way round. */
    public double[] unstandardised(double[] standard) {
        double[] x = new double[width];
        Arrays.setAll(x, i -> means[i] + deviations[i] * standard[i]);
        return x;
    }

    /** x to z, in double. */
    public void forward(double[] x, int rows, double[] z) {
        double[] row = new double[width];
        for (int r = 0; r < rows; r++) {
            int at = r * width;
            for (int i = 0; i < width; i++) {
                row[i] = (x[at + i] - means[i]) * inverse[i];
            }
            if (matrix.length == 0) {
                System.arraycopy(row, 0, z, at, width);
            } else {
                multiply(row, z, at);
            }
        }
    }

    private void multiply(double[] row, double[] z, int at) {
        for (int i = 0; i < width; i++) {
            z[at + i] = 0;
        }
        for (int j = 0; j < width; j++) {
            double factor = row[j];
            int from = j * width;
            for (int i = 0; i < width; i++) {
                z[at + i] += matrix[from + i] * factor;
            }
        }
    }

    /** x to z in float, as models take it: centred in double, so that a column far from 0 loses nothing. */
    public void forward(double[] x, int rows, float[] z) {
        for (int r = 0; r < rows; r++) {
            int at = r * width;
            if (matrix.length == 0) {
                for (int i = 0; i < width; i++) {
                    z[at + i] = (float) ((x[at + i] - means[i]) * inverse[i]);
                }
                continue;
            }
            for (int i = 0; i < width; i++) {
                z[at + i] = 0;
            }
            for (int j = 0; j < width; j++) {
                float factor = (float) ((x[at + j] - means[j]) * inverse[j]);
                int from = j * width;
                for (int i = 0; i < width; i++) {
                    z[at + i] += floats[from + i] * factor;
                }
            }
        }
    }

    /** W⁻¹ by rows, which takes z back to standardised columns; empty where they are the same. */
    public double[] unwhitening() {
        return Arrays.stream(root).flatMapToDouble(Arrays::stream).toArray();
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
            for (int i = 0; i < width; i++) {
                x[at + i] = means[i] + deviations[i] * row[i];
            }
        }
    }
}

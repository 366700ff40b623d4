package dev.kelvin.train;

import dev.kelvin.Words;
import dev.kelvin.data.table.Scaler;
import dev.kelvin.data.table.TableUnits;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.List;
import java.util.Optional;

/** A caller's rows as a model sees them: checked, and those of a table scaled. */
final class RowsOfNumbers {
    private final List<String> names;
    private final Optional<Scaler> scaler;

    RowsOfNumbers(Optional<TableUnits> table) {
        names = table.map(units -> units.schema().inputs()).orElse(List.of());
        scaler = table.map(units -> units.scaling().scaler());
    }

    /** Rows from one on to before another, [n, d] in the current scope. */
    Tensor tensor(double[][] rows, int from, int to) {
        int width = scaler.isPresent() ? names.size() : rows[0].length;
        double[] x = new double[Math.multiplyExact(to - from, width)];
        for (int i = from; i < to; i++) {
            check(rows[i], i, width);
            System.arraycopy(rows[i], 0, x, (i - from) * width, width);
        }
        float[] z = new float[x.length];
        if (scaler.isPresent()) {
            scaler.get().forward(x, to - from, z);
        } else {
            for (int i = 0; i < x.length; i++) {
                z[i] = (float) x[i];
            }
        }
        return Tensors.of(z, to - from, width);
    }

    /** What is added to log p of these rows to be in their units. */
    double[] logDeterminant(double[][] rows, int from, int to) {
        if (scaler.isEmpty()) {
            return new double[to - from];
        }
        int width = names.size();
        double[] x = new double[(to - from) * width];
        for (int i = from; i < to; i++) {
            System.arraycopy(rows[i], 0, x, (i - from) * width, width);
        }
        return scaler.get().logDeterminant(x, to - from);
    }

    private void check(double[] row, int number, int width) {
        if (row.length != width) {
            throw new IllegalArgumentException("row " + number + " has " + row.length
                    + (row.length == 1 ? " value" : " values") + "; expected " + width
                    + (scaler.isPresent() ? ": " + shown() : ", as many as the first"));
        }
        for (int j = 0; j < width; j++) {
            if (!Double.isFinite(row[j])) {
                throw new IllegalArgumentException("row " + number + " has " + row[j] + " as its "
                        + (scaler.isPresent() ? Words.quote(names.get(j)) : "value " + j)
                        + "; a model takes finite numbers: leave the row out, or fill it by 'kelvin sample --fill'");
            }
        }
    }

    /** Not more names than a sentence bears. */
    private String shown() {
        int most = 20;
        return names.size() <= most
                ? String.join(", ", names)
                : String.join(", ", names.subList(0, most)) + ", ... " + names.size() + " in all";
    }
}

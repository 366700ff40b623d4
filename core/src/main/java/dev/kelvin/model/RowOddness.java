package dev.kelvin.model;

import dev.kelvin.data.table.Schema;
import dev.kelvin.data.table.scale.Scaler;
import dev.kelvin.energy.Affine;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.metric.OddColumns;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The column of a row that fits the others worst: by the model where the row is odd, otherwise by a Gaussian, which is far
 * cheaper. What it means, in numbers, is {@link OddColumns}.
 */
public final class RowOddness {
    private final Model model;
    private final OddColumns columns;
    private final double limit;
    private final List<String> names;
    private final int[] owners;
    private final double[] toColumns; // z to columns that are scaled each by itself, by rows
    private final double[] toModel; // and back

    /**
     * Of a model of rows of a table.
     *
     * @param limit the quantile up to which a row is looked at by the model
     */
    RowOddness(Model model, SampleKind.Rows rows, OddColumns columns, double limit) {
        Schema schema = rows.schema();
        Scaler scaler = rows.units().scaler();
        this.model = model;
        this.columns = columns;
        this.limit = limit;
        this.names = schema.used().stream().map(Schema.Column::name).toList();
        this.owners = schema.owners();
        this.toModel = scaler.whitening();
        this.toColumns = scaler.unwhitening();
    }

    /** The columns' names. */
    public List<String> names() {
        return names;
    }

    /**
     * The place of the oddest column of each row among the names.
     *
     * @param quantiles of f among held-out rows: the odder a row, the more it is worth to find out; NaN where not known
     */
    public int[] of(Tensor x, double[] quantiles) {
        try (Scope scope = Scope.open()) {
            Tensor rows = columns(x);
            double[][] quick = columns.quick(rows);
            long[] odd = IntStream.range(0, quick.length)
                    .filter(i -> quantiles[i] <= limit)
                    .asLongStream()
                    .toArray();
            if (odd.length > 0) {
                double[][] thorough = columns.thorough(byColumn(x), rows.rows(odd));
                for (int i = 0; i < odd.length; i++) {
                    quick[(int) odd[i]] = thorough[i];
                }
            }
            return Arrays.stream(quick)
                    .mapToInt(scores -> owners[OddColumns.first(scores)])
                    .toArray();
        }
    }

    /** How odd each input of rows is by the model, [rows][inputs]; −∞ of those that a Gaussian does not suspect. */
    public double[][] thorough(Tensor x) {
        try (Scope scope = Scope.open()) {
            return columns.thorough(byColumn(x), columns(x));
        }
    }

    private Tensor columns(Tensor x) {
        int d = owners.length;
        return x.matmul(Tensors.like(x, toColumns, d, d));
    }

    /** The model in coordinates that are columns. */
    private LogDensity byColumn(Tensor x) {
        int d = owners.length;
        return new Affine(model.density(), Tensors.zerosLike(x.narrow(0, 0, 1)), Tensors.like(x, toModel, d, d));
    }
}

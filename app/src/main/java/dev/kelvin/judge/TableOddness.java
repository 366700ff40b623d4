package dev.kelvin.judge;

import dev.kelvin.data.table.Schema;
import dev.kelvin.data.table.scale.Scaler;
import dev.kelvin.energy.Affine;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.experiment.Experiment;
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
public final class TableOddness implements Oddness {
    private final Experiment experiment;
    private final OddColumns columns;
    private final double limit;
    private final List<String> names;
    private final int[] owners;
    private final double[] toColumns; // z to columns that are scaled each by itself, by rows
    private final double[] toModel; // and back

    /**
     * From what is known of the training rows' columns.
     *
     * @param limit the quantile up to which a row is looked at by the model
     */
    public TableOddness(Experiment experiment, Schema schema, Scaler scaler, OddColumns columns, double limit) {
        this.experiment = experiment;
        this.columns = columns;
        this.limit = limit;
        this.names = schema.used().stream().map(Schema.Column::name).toList();
        this.owners = schema.owners();
        this.toModel = scaler.whitening();
        this.toColumns = scaler.unwhitening();
    }

    @Override
    public List<String> names() {
        return names;
    }

    @Override
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
        return new Affine(experiment.density(), Tensors.zerosLike(x.narrow(0, 0, 1)), Tensors.like(x, toModel, d, d));
    }
}

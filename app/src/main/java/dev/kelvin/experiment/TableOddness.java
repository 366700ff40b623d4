package dev.kelvin.experiment;

import dev.kelvin.data.table.Scaling;
import dev.kelvin.data.table.Schema;
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
final class TableOddness implements Oddness {
    private final Experiment experiment;
    private final OddColumns columns;
    private final double limit;
    private final List<String> names;
    private final int[] owners;
    private final double[] toColumns; // z to standardised columns, by rows; empty where they are the same
    private final double[] toModel; // and back

    /**
     * From what is known of the training rows' columns.
     *
     * @param limit the quantile up to which a row is looked at by the model
     */
    TableOddness(Experiment experiment, Schema schema, Scaling scaling, OddColumns columns, double limit) {
        this.experiment = experiment;
        this.columns = columns;
        this.limit = limit;
        this.names = schema.used().stream().map(Schema.Column::name).toList();
        this.owners = schema.owners();
        this.toModel = scaling.matrix().stream()
                .flatMap(List::stream)
                .mapToDouble(Double::doubleValue)
                .toArray();
        this.toColumns = toModel.length == 0 ? toModel : scaling.scaler().unwhitening();
    }

    @Override
    public List<String> of(Tensor x, double[] quantiles) {
        try (Scope scope = Scope.open()) {
            int d = owners.length;
            Tensor rows = toColumns.length == 0 ? x : x.matmul(Tensors.like(x, toColumns, d, d));
            double[][] quick = columns.quick(rows);
            long[] odd = IntStream.range(0, quick.length)
                    .filter(i -> quantiles[i] <= limit)
                    .asLongStream()
                    .toArray();
            if (odd.length > 0) {
                LogDensity f = experiment.density();
                LogDensity byColumn = toModel.length == 0
                        ? f
                        : new Affine(f, Tensors.zerosLike(x.narrow(0, 0, 1)), Tensors.like(x, toModel, d, d));
                double[][] thorough = columns.thorough(byColumn, rows.rows(odd));
                for (int i = 0; i < odd.length; i++) {
                    quick[(int) odd[i]] = thorough[i];
                }
            }
            return Arrays.stream(quick)
                    .map(scores -> names.get(owners[OddColumns.first(scores)]))
                    .toList();
        }
    }
}

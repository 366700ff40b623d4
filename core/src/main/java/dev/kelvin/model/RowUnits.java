package dev.kelvin.model;

import dev.kelvin.data.table.scale.Scaler;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;

/** A table's own units and a model of its rows: see {@link dev.kelvin.data.table.scale.Scaling}. */
public record RowUnits(Scaler scaler) implements Units {
    @Override
    public Tensor toModel(Tensor x) {
        int rows = (int) x.size(0);
        float[] z = new float[Math.toIntExact(x.count())];
        scaler.forward(x.toDoubles(), rows, z);
        return Tensors.of(z, x.shape()).to(x.device());
    }

    /** In double. */
    @Override
    public Tensor fromModel(Tensor z) {
        double[] own = new double[Math.toIntExact(z.count())];
        scaler.back(z.toDoubles(), (int) z.size(0), own);
        return Tensors.of(own, z.shape());
    }

    @Override
    public double[] logDeterminant(Tensor x) {
        return scaler.logDeterminant(x.toDoubles(), (int) x.size(0));
    }
}

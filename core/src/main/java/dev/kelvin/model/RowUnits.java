package dev.kelvin.model;

import static dev.kelvin.data.format.Rows.LARGEST;

import dev.kelvin.data.table.scale.Scaler;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;

/** A table's own units and a model of its rows: see {@link dev.kelvin.data.table.scale.Scaling}. */
public record RowUnits(Scaler scaler) implements Units {
    /** What is wrong with a row that {@link #toModel(double[], float[])} refuses. */
    public static final String TOO_LARGE =
            "has numbers too large for this model, over " + LARGEST + " deviations from the mean";

    /** One row's inputs as the model sees them; false where a number is so large that f would overflow. */
    public boolean toModel(double[] x, float[] z) {
        scaler.forward(x, 1, z);
        boolean usable = true;
        for (float number : z) {
            usable &= Math.abs(number) <= LARGEST;
        }
        return usable;
    }

    /** log |dz/dx| at one row. */
    public double logDeterminant(double... x) {
        return scaler.logDeterminant(x, 1)[0];
    }

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

package dev.kelvin.experiment;

import dev.kelvin.tensor.Tensor;
import java.util.List;

/** Says which column makes a row of a table odd. */
@FunctionalInterface
public interface Oddness {
    /**
     * The name of the oddest column of each row.
     *
     * @param x rows as the model sees them, [n, d]
     * @param quantiles of f among held-out rows: the odder a row, the more it is worth to find out; NaN where not known
     */
    List<String> of(Tensor x, double[] quantiles);
}

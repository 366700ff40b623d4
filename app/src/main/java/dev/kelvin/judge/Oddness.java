package dev.kelvin.judge;

import dev.kelvin.tensor.Tensor;
import java.util.List;

/** Says which column makes a row of a table odd. */
public interface Oddness {
    /** The columns' names. */
    List<String> names();

    /**
     * The place of the oddest column of each row among the names.
     *
     * @param x rows as the model sees them, [n, d]
     * @param quantiles of f among held-out rows: the odder a row, the more it is worth to find out; NaN where not known
     */
    int[] of(Tensor x, double[] quantiles);
}

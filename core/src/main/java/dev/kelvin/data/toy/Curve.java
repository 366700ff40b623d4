package dev.kelvin.data.toy;

import dev.kelvin.part.Citing;
import java.util.List;

/** A curve in the plane and how its points are chosen: u in [0, 1] has a density, c(u) is the point. */
interface Curve extends Citing {
    @Override
    default List<String> cites() {
        return List.of();
    }

    /** Writes c(u) over the point. */
    void at(double u, double[] point);

    /** The density of u. */
    double density(double u);

    /** The u below which this share of the probability lies. */
    double quantile(double share);
}

package dev.kelvin.energy.analytic;

import dev.kelvin.part.Check;
import dev.kelvin.part.Default;
import dev.kelvin.part.Doc;
import dev.kelvin.part.Named;

/** The settings of a {@link DoubleWell}. */
@Named("double-well")
@Doc("two wells in the first coordinate; the other coordinates are standard normal")
public record TwoWells(
        @Doc("number of coordinates") @Default("3") int dimension,
        @Doc("a: the wells are at -a and a") @Default("1.5") double wells,

        @Doc("c: the barrier between the wells is c a^4 high") @Default("1")
        double steepness)
        implements TargetFamily {
    public TwoWells {
        Check.all(
                () -> Check.atLeast("dimension", dimension, 1),
                () -> Check.positive("wells", wells),
                () -> Check.positive("steepness", steepness));
    }

    @Override
    public String difficulty() {
        return "two modes, at -" + wells + " and " + wells + " in the first of " + dimension
                + " coordinates, with a barrier between them";
    }

    @Override
    public DoubleWell target() {
        return new DoubleWell(dimension, wells, steepness);
    }
}

package dev.kelvin.energy.analytic;

import dev.kelvin.energy.Gaussian;
import dev.kelvin.part.Check;
import dev.kelvin.part.Default;
import dev.kelvin.part.Doc;

/** The standard normal distribution, N(0, I): whatever fails here is broken. */
@Doc("the standard normal distribution")
public record Normal(
        @Doc("number of coordinates") @Default("10") int dimension) implements TargetFamily {
    public Normal {
        Check.atLeast("dimension", dimension, 1);
    }

    @Override
    public String difficulty() {
        return "none: " + dimension + " independent standard normal coordinates";
    }

    @Override
    public Gaussian target() {
        return Gaussian.isotropic(new double[dimension], 1);
    }
}

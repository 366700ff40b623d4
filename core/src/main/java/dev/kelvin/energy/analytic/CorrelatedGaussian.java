package dev.kelvin.energy.analytic;

import dev.kelvin.energy.Gaussian;
import dev.kelvin.part.Check;
import dev.kelvin.part.Default;
import dev.kelvin.part.Doc;
import dev.kelvin.part.Named;
import dev.kelvin.part.Words;

/**
 * A Gaussian with mean 0 and covariance ρ^|i − j|: the nearer ρ comes to 1, the longer and thinner the valley that a
 * sampler has to follow.
 */
@Named("gaussian")
@Doc("a Gaussian whose neighbouring coordinates are correlated")
public record CorrelatedGaussian(
        @Doc("number of coordinates") @Default("20") int dimension,

        @Doc("correlation of neighbouring coordinates") @Default("0.9")
        double correlation)
        implements TargetFamily {
    public CorrelatedGaussian {
        Check.all(
                () -> Check.atLeast("dimension", dimension, 1),
                () -> Check.require(
                        Math.abs(correlation) < 1,
                        "correlation",
                        "must lie between -1 and 1, without these, found " + Words.number(correlation)));
    }

    @Override
    public String difficulty() {
        return dimension + " coordinates, neighbours correlated by " + correlation + ": a long thin valley";
    }

    @Override
    public Gaussian target() {
        double[][] covariance = new double[dimension][dimension];
        for (int i = 0; i < dimension; i++) {
            for (int j = 0; j < dimension; j++) {
                covariance[i][j] = Math.pow(correlation, Math.abs(i - j));
            }
        }
        return new Gaussian(new double[dimension], covariance);
    }
}

package dev.kelvin.energy.analytic;

import dev.kelvin.energy.Constants;
import dev.kelvin.energy.Gaussian;
import dev.kelvin.energy.ValueAndGradient;
import dev.kelvin.part.Check;
import dev.kelvin.part.Cites;
import dev.kelvin.part.Default;
import dev.kelvin.part.Doc;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.random.RandomGenerator;

/**
 * Neal's funnel, normalised: v ~ N(0, s²) is the first coordinate and xᵢ ~ N(0, exp v) the other n = dimension − 1. No
 * step size suits both its neck and its mouth.
 *
 * <pre>
 * f = −v²/2s² − n v/2 − ½ exp(−v) Σ xᵢ² − log s − ½ (n + 1) log 2π
 * ∂f/∂v = −v/s² − n/2 + ½ exp(−v) Σ xᵢ²,  ∂f/∂xᵢ = −exp(−v) xᵢ
 * </pre>
 *
 * <p>Source: Neal 2003, section 8, with s = 3 and n = 9.
 */
@Doc("Neal's funnel: the first coordinate is the log-variance of the others")
@Cites("neal2003")
public record Funnel(
        @Doc("number of coordinates, the log-variance among them") @Default("10")
        int dimension,

        @Doc("standard deviation of the log-variance") @Default("3")
        double std)
        implements ClosedForm, TargetFamily {
    public Funnel {
        Check.all(() -> Check.atLeast("dimension", dimension, 2), () -> Check.positive("std", std));
    }

    @Override
    public String difficulty() {
        return "Neal's funnel, " + dimension + " coordinates: no step size suits both its neck and its mouth";
    }

    @Override
    public Funnel target() {
        return this;
    }

    @Override
    public ValueAndGradient formula(Tensor points) {
        Tensor v = points.select(1, 0); // [n]
        Tensor rest = points.narrow(1, 1, dimension - 1);
        Tensor precision = v.negate().exp();
        Tensor squares = rest.square().sum(1L).times(precision).times(0.5);
        double constant = Math.log(std) + dimension * Constants.LOG_2PI / 2;
        Tensor neck = v.square().times(0.5 / (std * std)).plus(v.times((dimension - 1) / 2.0));
        Tensor first = v.times(-1 / (std * std)).plus(squares).minus((dimension - 1) / 2.0);
        return new ValueAndGradient(
                neck.plus(squares).negate().minus(constant),
                Tensors.concat(
                        1,
                        first.unsqueeze(1),
                        rest.times(precision.unsqueeze(1)).negate()));
    }

    @Override
    public void next(RandomGenerator random, double[] point) {
        point[0] = std * random.nextGaussian();
        double width = Math.exp(point[0] / 2);
        for (int i = 1; i < dimension; i++) {
            point[i] = width * random.nextGaussian();
        }
    }

    /** s² for v, E exp v = exp(s²/2) for the others. */
    @Override
    public double[][] covariance() {
        return Gaussian.diagonal(dimension, i -> i == 0 ? std * std : Math.exp(std * std / 2));
    }
}

package dev.kelvin.energy.analytic;

import dev.kelvin.energy.Constants;
import dev.kelvin.energy.ValueAndGradient;
import dev.kelvin.part.Check;
import dev.kelvin.part.Default;
import dev.kelvin.part.Doc;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.random.RandomGenerator;

/**
 * A Gaussian in the plane bent along a parabola, like Rosenbrock's valley: x₁ ~ N(0, s²), x₂ ~ N(b(x₁² − s²), 1);
 * normalised.
 *
 * <pre>
 * f = −x₁²/2s² − r²/2 − log 2πs,  r = x₂ − b(x₁² − s²)
 * ∂f/∂x₁ = −x₁/s² + 2b x₁ r,  ∂f/∂x₂ = −r
 * </pre>
 */
@Doc("a Gaussian in the plane, bent along a parabola")
public record Banana(
        @Doc("standard deviation of the first coordinate") @Default("1.5")
        double std,

        @Doc("curvature of the parabola") @Default("0.4") double bend)
        implements ClosedForm, TargetFamily {
    public Banana {
        Check.all(() -> Check.positive("std", std), () -> Check.finite("bend", bend));
    }

    @Override
    public String difficulty() {
        return "a bent valley in the plane";
    }

    @Override
    public Banana target() {
        return this;
    }

    @Override
    public ValueAndGradient formula(Tensor points) {
        Tensor first = points.select(1, 0);
        Tensor r = points.select(1, 1).minus(first.square().minus(std * std).times(bend));
        double constant = Math.log(std) + Constants.LOG_2PI;
        Tensor value = first.square()
                .times(-0.5 / (std * std))
                .minus(r.square().times(0.5))
                .minus(constant);
        Tensor along = first.times(r.times(2 * bend).minus(1 / (std * std)));
        return new ValueAndGradient(
                value, Tensors.concat(1, along.unsqueeze(1), r.negate().unsqueeze(1)));
    }

    @Override
    public int dimension() {
        return 2;
    }

    @Override
    public void next(RandomGenerator random, double[] point) {
        point[0] = std * random.nextGaussian();
        point[1] = bend * (point[0] * point[0] - std * std) + random.nextGaussian();
    }

    /** Var x₂ = 1 + b² Var x₁² = 1 + 2b²s⁴; x₁ and x₁² are uncorrelated. */
    @Override
    public double[][] covariance() {
        return new double[][] {{std * std, 0}, {0, 1 + 2 * bend * bend * Math.pow(std, 4)}};
    }
}

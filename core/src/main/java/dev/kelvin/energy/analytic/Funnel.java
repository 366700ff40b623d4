package dev.kelvin.energy.analytic;

import dev.kelvin.energy.Constants;
import dev.kelvin.energy.Gaussian;
import dev.kelvin.energy.Target;
import dev.kelvin.energy.ValueAndGradient;
import dev.kelvin.part.Check;
import dev.kelvin.part.Cites;
import dev.kelvin.part.Default;
import dev.kelvin.part.Doc;
import dev.kelvin.tensor.Scope;
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
        implements Target, TargetFamily {
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
    public Tensor at(Tensor x) {
        try (Scope scope = Scope.open()) {
            Parts parts = new Parts(Constants.samples(x, dimension));
            return scope.keep(value(parts));
        }
    }

    @Override
    public ValueAndGradient valueAndGradient(Tensor x) {
        try (Scope scope = Scope.open()) {
            Parts parts = new Parts(Constants.samples(x.detach(), dimension));
            Tensor first = parts.v
                    .times(-1 / (std * std))
                    .plus(parts.squares)
                    .minus((dimension - 1) / 2.0)
                    .unsqueeze(1);
            Tensor rest = parts.rest.times(parts.precision.unsqueeze(1)).negate();
            return new ValueAndGradient(scope.keep(value(parts)), scope.keep(Tensors.concat(1, first, rest)));
        }
    }

    private Tensor value(Parts parts) {
        double constant = Math.log(std) + dimension * Constants.LOG_2PI / 2;
        Tensor neck = parts.v.square().times(0.5 / (std * std)).plus(parts.v.times((dimension - 1) / 2.0));
        return neck.plus(parts.squares).negate().minus(constant);
    }

    private final class Parts {
        final Tensor v; // [n]
        final Tensor rest; // [n, dimension - 1]
        final Tensor precision; // exp(-v)
        final Tensor squares; // exp(-v) sum of x_i^2 / 2

        Parts(Tensor x) {
            v = x.select(1, 0);
            rest = x.narrow(1, 1, dimension - 1);
            precision = v.negate().exp();
            squares = rest.square().sum(1L).times(precision).times(0.5);
        }
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

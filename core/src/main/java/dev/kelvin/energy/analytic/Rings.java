package dev.kelvin.energy.analytic;

import dev.kelvin.energy.Constants;
import dev.kelvin.energy.ValueAndGradient;
import dev.kelvin.part.Check;
import dev.kelvin.part.Default;
import dev.kelvin.part.Doc;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Rings around the origin of the plane, equally likely, with Gaussian radii; normalised.
 *
 * <p>A draw is s·(cos a, sin a) with a uniform on the circle and s ~ N(rₖ, σ²). At distance ρ the density is that of
 * |s| spread over the circle's length,
 *
 * <pre>f(x) = log (1/K) Σₖ [N(ρ; rₖ, σ²) + N(−ρ; rₖ, σ²)] − log 2πρ,</pre>
 *
 * where the second term folds negative s back: rare, but it makes the formula exact. In N(−ρ; r) = N(ρ; −r) the sum is
 * a mixture with centres ±rₖ, so ∂f/∂ρ = (Σ qⱼ cⱼ − ρ)/σ² − 1/ρ with q the probabilities of the centres cⱼ. The density
 * has an integrable pole at the origin.
 */
@Doc("concentric rings in the plane, equally likely, with Gaussian radii")
public record Rings(
        @Doc("radii of the rings") @Default("[1, 2, 3, 4]") List<Double> radii,

        @Doc("standard deviation of the radius") @Default("0.15")
        double std)
        implements ClosedForm, TargetFamily {
    public Rings {
        radii = List.copyOf(radii);
        List<Double> each = radii;
        Check.all(
                () -> Check.notEmpty("radii", each),
                () -> each.forEach(radius -> Check.positive("radii", radius)),
                () -> Check.positive("std", std));
    }

    @Override
    public String difficulty() {
        return radii.size() + (radii.size() == 1 ? " ring" : " concentric rings, with little mass between them");
    }

    @Override
    public Rings target() {
        return this;
    }

    @Override
    public ValueAndGradient formula(Tensor points) {
        Tensor radius = Constants.radius(points); // [n, 1]
        Tensor centres = centres(radius);
        Tensor terms = radius.minus(centres).square().times(-0.5 / (std * std)); // log N(ρ; cⱼ, σ²) + const, [n, 2K]
        double constant = Math.log(radii.size()) + Math.log(std) + 1.5 * Constants.LOG_2PI;
        Tensor centre = terms.softmax(1).times(centres).sum(1L).unsqueeze(1);
        Tensor slope = centre.minus(radius).over(std * std).minus(radius.pow(-1));
        return new ValueAndGradient(
                terms.logSumExp(1).minus(radius.log().squeeze(1)).minus(constant), slope.times(points.over(radius)));
    }

    private Tensor centres(Tensor like) {
        double[] centres = new double[2 * radii.size()];
        for (int k = 0; k < radii.size(); k++) {
            centres[2 * k] = radii.get(k);
            centres[2 * k + 1] = -radii.get(k);
        }
        return Tensors.like(like, centres, 1, centres.length);
    }

    @Override
    public int dimension() {
        return 2;
    }

    @Override
    public void next(RandomGenerator random, double[] point) {
        double s = radii.get(random.nextInt(radii.size())) + std * random.nextGaussian();
        double angle = 2 * Math.PI * random.nextDouble();
        point[0] = s * Math.cos(angle);
        point[1] = s * Math.sin(angle);
    }

    /** E s²/2 on the diagonal: half of the mean of rₖ² + σ². */
    @Override
    public double[][] covariance() {
        double sum = 0;
        for (double radius : radii) {
            sum += radius * radius + std * std;
        }
        double variance = sum / radii.size() / 2;
        return new double[][] {{variance, 0}, {0, variance}};
    }
}

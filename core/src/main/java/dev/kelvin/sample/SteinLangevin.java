package dev.kelvin.sample;

import dev.kelvin.energy.LogDensity;
import dev.kelvin.part.Check;
import dev.kelvin.part.Cites;
import dev.kelvin.part.Default;
import dev.kelvin.part.Doc;
import dev.kelvin.part.Words;
import dev.kelvin.tensor.Cholesky;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A hybrid of Stein variational gradient descent and Langevin dynamics: particles that share their gradients and push each
 * other apart, as in {@link Svgd}, and have noise of their own, as in {@link Langevin}. Choose it where Langevin chains are
 * too slow to leave a bad start and SVGD's particles settle in too few places; unlike SVGD it samples a density that is
 * known, exp(f/T) for each particle.
 *
 * <pre>
 * x' = clamp(x + h·[D·clip(∇f(x)) + T·div D] + √(2hT)·Lξ),  ξ ~ N(0, I)
 * D = (1 − s)·I + s·K,  K_ij = k(xᵢ, xⱼ) of SVGD,  LLᵀ = D (Cholesky),  (div D)ᵢ = s·Σⱼ ∇_{xⱼ} k(xᵢ, xⱼ)
 * </pre>
 *
 * <p>s = share: at 0 it is Langevin dynamics; towards 1 the drift is n·φ of SVGD at T = 1. D has ones on its diagonal, so that
 * one particle's noise is Langevin's at the same h; particles that lie together follow the sum of their gradients, up to n
 * times faster, so that h·n·s must stay small against f's curvature. For small h each particle samples exp(f/T), T =
 * σ²/(2h), except that D's dependence on x through the bandwidth is left out of div D.
 *
 * <p>Source: Gallego and Ríos Insua (2018), the case D = K; Ma, Chen and Fox
 * (2015), equation 3, for any D. Shah (2024) asks for such a hybrid as future work.
 */
@Doc(
        "a hybrid of SVGD and Langevin: particles that share gradients, repel each other and have noise, and sample exp(f/T)")
@Cites({"gallego2018", "ma2015"})
public record SteinLangevin(
        @Doc("h, the step size") double stepSize,

        @Doc("s, the share of the step that is SVGD's; 0 is Langevin") @Default("0.5")
        double share,

        @Doc(value = "σ, the noise, if it is not tied to h", otherwise = "√(2·stepSize·temperature)")
        OptionalDouble noise,

        @Doc(value = "T, the temperature that σ is tied to", otherwise = "1, if noise is not given")
        OptionalDouble temperature,

        @Doc(value = "clips each coordinate of ∇f to ±clip", otherwise = "no clipping")
        OptionalDouble clip,

        @Doc(value = "clips coordinates to [low, high]", otherwise = "no clipping")
        Optional<List<Double>> clamp)
        implements StepSized<Position> {
    /** Beyond it D is singular in float where particles lie together. */
    private static final double MOST_SHARED = 0.99;

    public SteinLangevin {
        OptionalDouble given = temperature;
        Optional<List<Double>> range = clamp.map(List::copyOf);
        Check.all(
                () -> Noise.check(stepSize, noise, given, false),
                () -> Check.within("share", share, 0, MOST_SHARED),
                () -> Limits.check(clip, range));
        temperature = Noise.tied(noise, given);
        clamp = range;
    }

    /** Half of each, at temperature 1, without limits. */
    public static SteinLangevin of(double stepSize) {
        OptionalDouble none = OptionalDouble.empty();
        return new SteinLangevin(stepSize, 0.5, none, none, none, Optional.empty());
    }

    @Override
    public SteinLangevin withStepSize(double other) {
        return new SteinLangevin(other, share, Noise.at(other, stepSize, noise), temperature, clip, clamp);
    }

    @Override
    public KernelTraits traits() {
        return KernelTraits.unadjusted(Noise.temperature(stepSize, noise, temperature))
                .withRecordable(true)
                .withCoupling(KernelTraits.Coupling.PARTICLES);
    }

    @Override
    public String words() {
        return "Langevin dynamics of particles that repel each other (SVGD's share " + Words.number(share) + ") with "
                + Noise.words(stepSize)
                + Noise.words(traits().temperature()) + Limits.words(clip, clamp);
    }

    @Override
    public Position start(LogDensity target, Tensor x) {
        return new Position(x);
    }

    @Override
    public Transition<Position> step(Key key, LogDensity target, Position state) {
        try (Scope scope = Scope.open()) {
            Tensor x = state.x();
            Tensor flat = x.flattenSamples();
            Tensor gradient = Limits.clipped(target, target.gradient(x), clip).flattenSamples();
            Tensor noises = Tensors.normalLike(key, Noise.of(stepSize, noise, temperature), x)
                    .flattenSamples();

            Tensor distances = flat.distances(flat).square();
            Tensor b2 = Svgd.squaredBandwidth(distances, x.size(0));
            Tensor k = Svgd.kernel(distances, b2);
            Tensor repulsion = Svgd.repulsion(k, flat, flat, b2);
            Tensor d = k.times(share);
            d.diagonal().addNumberInPlace(1 - share);

            double t = traits().temperature().orElseThrow();
            Tensor next = Cholesky.of(d)
                    .matmul(noises)
                    .addInPlace(flat)
                    .addMatmulInPlace(d, gradient, stepSize)
                    .addInPlace(repulsion, stepSize * share * t)
                    .reshape(x.shape());
            return new Transition<>(new Position(scope.keep(Limits.clamped(target, next, clamp))), StepInfo.UNADJUSTED);
        }
    }
}

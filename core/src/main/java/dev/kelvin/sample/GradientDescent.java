package dev.kelvin.sample;

import dev.kelvin.energy.LogDensity;
import dev.kelvin.part.Check;
import dev.kelvin.part.Cites;
import dev.kelvin.part.Doc;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Walks uphill on f without noise; finds modes, samples nothing. A baseline, and the limit of Langevin at temperature 0.
 *
 * <p>x' = clamp(x + h·clip(∇f(x)))
 *
 * <p>Source: Zhang (2021), "gradient descent" (on E = −f).
 */
@Doc("gradient descent on the energy −f, without noise: x + h∇f(x)")
@Cites("zhang2021")
public record GradientDescent(
        @Doc("h, the step size") double stepSize,

        @Doc(value = "clips each coordinate of ∇f to ±clip", otherwise = "no clipping")
        OptionalDouble clip,

        @Doc(value = "clips coordinates to [low, high]", otherwise = "no clipping")
        Optional<List<Double>> clamp)
        implements StepSized<Position>, DifferentiableKernel<Position> {
    public GradientDescent {
        Optional<List<Double>> range = clamp.map(List::copyOf);
        Check.all(() -> Check.positive("stepSize", stepSize), () -> Limits.check(clip, range));
        clamp = range;
    }

    /** Without limits. */
    public static GradientDescent of(double stepSize) {
        return new GradientDescent(stepSize, OptionalDouble.empty(), Optional.empty());
    }

    @Override
    public GradientDescent withStepSize(double other) {
        return new GradientDescent(other, clip, clamp);
    }

    @Override
    public KernelTraits traits() {
        return KernelTraits.unadjusted(OptionalDouble.empty())
                .withRecordable(true)
                .withMemoryless(true);
    }

    @Override
    public String words() {
        return "gradient descent with " + Noise.words(stepSize) + Noise.words(traits().temperature())
                + Limits.words(clip, clamp);
    }

    @Override
    public Position start(LogDensity target, Tensor x) {
        return new Position(x);
    }

    @Override
    public Tensor moved(Key key, LogDensity target, Tensor x, long taken) {
        try (Scope scope = Scope.open()) {
            Tensor gradient = Limits.clipped(target, target.gradientInGraph(x), clip);
            return scope.keep(Limits.clamped(target, x.plus(gradient, stepSize), clamp));
        }
    }

    @Override
    public Transition<Position> step(Key key, LogDensity target, Position state) {
        try (Scope scope = Scope.open()) {
            Tensor gradient = Limits.clipped(target, target.gradient(state.x()), clip);
            Tensor next = state.x().copy().addInPlace(gradient, stepSize);
            Position to = new Position(scope.keep(Limits.clamped(target, next, clamp)));
            return new Transition<>(to, StepInfo.UNADJUSTED);
        }
    }
}

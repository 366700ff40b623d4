package dev.kelvin.sample;

import dev.kelvin.Check;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;

/**
 * Unadjusted Langevin dynamics: a gradient step and Gaussian noise. The workhorse of EBM training; biased by its step
 * size (on a unit Gaussian its variance is 1/(1 − h/2)), so choose {@link Mala} where the density must be right.
 *
 * <p>x' = clamp(x + h·clip(∇f(x)) + σξ), ξ ~ N(0, I); with {@code noiseFirst} x₁ = x + σξ, x' = clamp(x₁ +
 * h·clip(∇f(x₁))). h = stepSize, σ = noise. For small h it samples exp(f/T) with T = σ²/(2h).
 *
 * <p>Sources: papers 000 and 001 (h = s, σ = √(2s)); 003 (h = μ²/2, σ = μ); 002 and 004 (h = α/2, σ = √α); JEM (h = 1,
 * σ = 0.01); IGEBM and improved CD ({@code noiseFirst}, clip, clamp [0, 1]).
 */
public record Langevin(double stepSize, double noise, boolean noiseFirst, Limits limits)
        implements StepSized<Position> {
    public Langevin {
        Check.positive("stepSize", stepSize);
        Check.notNegative("noise", noise);
    }

    /** Noise tied to the step: σ = √(2hT). */
    public static Langevin at(double stepSize, double temperature) {
        Check.positive("stepSize", stepSize);
        Check.positive("temperature", temperature);
        return new Langevin(stepSize, Math.sqrt(2 * stepSize * temperature), false, Limits.NONE);
    }

    /** T = σ²/(2h): the chain samples exp(f/T). */
    public double temperature() {
        return noise * noise / (2 * stepSize);
    }

    @Override
    public Langevin withStepSize(double other) {
        return new Langevin(other, noise * Math.sqrt(other / stepSize), noiseFirst, limits);
    }

    @Override
    public Position start(LogDensity target, Tensor x) {
        return new Position(x);
    }

    @Override
    public Transition<Position> step(Key key, LogDensity target, Position state) {
        try (Scope scope = Scope.open()) {
            Tensor x = state.x();
            Tensor next = Tensors.normalLike(key, noise, x).addInPlace(x);
            Tensor gradient = limits.clipped(target.gradient(noiseFirst ? next : x));
            next.addInPlace(gradient, stepSize);
            return new Transition<>(new Position(scope.keep(limits.clamped(next))), StepInfo.UNADJUSTED);
        }
    }
}

package dev.kelvin.sample;

import dev.kelvin.Check;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;

/**
 * Walks uphill on f without noise; finds modes, samples nothing. A baseline, and the limit of Langevin at temperature 0.
 *
 * <p>x' = clamp(x + h·clip(∇f(x)))
 *
 * <p>Source: paper 001, "gradient descent" (on E = −f).
 */
public record GradientDescent(double stepSize, Limits limits) implements StepSized<Position> {
    public GradientDescent {
        Check.positive("stepSize", stepSize);
    }

    @Override
    public GradientDescent withStepSize(double other) {
        return new GradientDescent(other, limits);
    }

    @Override
    public Position start(LogDensity target, Tensor x) {
        return new Position(x);
    }

    @Override
    public Transition<Position> step(Key key, LogDensity target, Position state) {
        try (Scope scope = Scope.open()) {
            Tensor gradient = limits.clipped(target.gradient(state.x()));
            Tensor next = state.x().copy().addInPlace(gradient, stepSize);
            return new Transition<>(new Position(scope.keep(limits.clamped(next))), StepInfo.UNADJUSTED);
        }
    }
}

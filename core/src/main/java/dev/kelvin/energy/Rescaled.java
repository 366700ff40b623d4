package dev.kelvin.energy;

import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;

/** u ↦ f(s ⊙ u), ∇ = s ⊙ ∇f(s ⊙ u). */
record Rescaled(LogDensity f, Tensor scale) implements LogDensity {
    @Override
    public Tensor at(Tensor u) {
        try (Scope scope = Scope.open()) {
            return scope.keep(f.at(u.times(scale)));
        }
    }

    @Override
    public ValueAndGradient valueAndGradient(Tensor u) {
        try (Scope scope = Scope.open()) {
            ValueAndGradient at = f.valueAndGradient(u.times(scale));
            return new ValueAndGradient(
                    scope.keep(at.value()), scope.keep(at.gradient().times(scale)));
        }
    }

    @Override
    public Tensor gradient(Tensor u) {
        try (Scope scope = Scope.open()) {
            return scope.keep(f.gradient(u.times(scale)).times(scale));
        }
    }

    @Override
    public Tensor clip(Tensor gradient, double limit) {
        try (Scope scope = Scope.open()) {
            return scope.keep(f.clip(gradient.over(scale), limit).times(scale));
        }
    }

    @Override
    public Tensor clamp(Tensor u, double low, double high) {
        try (Scope scope = Scope.open()) {
            return scope.keep(f.clamp(u.times(scale), low, high).over(scale));
        }
    }

    @Override
    public LogDensity rows(long... rows) {
        return new Rescaled(f.rows(rows), scale.size(0) == 1 ? scale : scale.rows(rows));
    }
}

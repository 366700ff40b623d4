package dev.kelvin.energy;

import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;

/** u ↦ f(s ⊙ u), ∇ = s ⊙ ∇f(s ⊙ u). */
record Rescaled(LogDensity f, Tensor scale) implements ChangedCoordinates {
    @Override
    public Tensor samples(Tensor u) {
        return u.times(scale);
    }

    @Override
    public Tensor back(Tensor gradient) {
        return gradient.times(scale);
    }

    @Override
    public Tensor clip(Tensor gradient, double limit) {
        return Scope.kept(() -> f.clip(gradient.over(scale), limit).times(scale));
    }

    @Override
    public Tensor clamp(Tensor u, double low, double high) {
        return Scope.kept(() -> f.clamp(u.times(scale), low, high).over(scale));
    }

    @Override
    public LogDensity rows(long... rows) {
        return new Rescaled(f.rows(rows), scale.size(0) == 1 ? scale : scale.rows(rows));
    }
}

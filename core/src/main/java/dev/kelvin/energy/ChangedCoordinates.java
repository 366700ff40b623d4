package dev.kelvin.energy;

import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;

/** A density in other coordinates: u ↦ f(x(u)), whose gradient is ∇f(x(u)) brought back to u. */
interface ChangedCoordinates extends LogDensity {
    LogDensity f();

    /** x(u). */
    Tensor samples(Tensor u);

    /** The gradient with respect to u of one with respect to x. */
    Tensor back(Tensor gradient);

    @Override
    default Tensor at(Tensor u) {
        return Scope.kept(() -> f().at(samples(u)));
    }

    @Override
    default ValueAndGradient valueAndGradient(Tensor u) {
        try (Scope scope = Scope.open()) {
            ValueAndGradient at = f().valueAndGradient(samples(u));
            return new ValueAndGradient(scope.keep(at.value()), scope.keep(back(at.gradient())));
        }
    }

    @Override
    default Tensor gradient(Tensor u) {
        return Scope.kept(() -> back(f().gradient(samples(u))));
    }
}

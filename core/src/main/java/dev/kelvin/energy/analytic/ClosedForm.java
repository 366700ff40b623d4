package dev.kelvin.energy.analytic;

import dev.kelvin.energy.Constants;
import dev.kelvin.energy.Target;
import dev.kelvin.energy.ValueAndGradient;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;

/** A target whose value and gradient are one formula. */
interface ClosedForm extends Target {
    /** f and ∇f at points [n, dimension]. */
    ValueAndGradient formula(Tensor points);

    @Override
    default Tensor at(Tensor x) {
        return Scope.kept(() -> formula(Constants.samples(x, dimension())).value());
    }

    @Override
    default ValueAndGradient valueAndGradient(Tensor x) {
        try (Scope scope = Scope.open()) {
            ValueAndGradient both = formula(Constants.samples(x.detach(), dimension()));
            return new ValueAndGradient(scope.keep(both.value()), scope.keep(both.gradient()));
        }
    }
}

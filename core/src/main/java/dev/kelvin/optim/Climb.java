package dev.kelvin.optim;

import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.util.Optional;

/**
 * The climb of sharpness-aware minimisation: the move, of length ρ, along which the loss rises fastest.
 *
 * <p>e = ρ·g/‖g‖; adaptive, which does not depend on the scale of the weights, e = ρ·p²g/‖|p|·g‖ for parameters p.
 *
 * <p>Sources: Foret 2021, equation 2; Kwon 2021, equation 3.
 */
public record Climb(double rho, boolean adaptive) {
    /** The move from these parameters along this gradient; none where the gradient has no length, or is not finite. */
    public Optional<Tensor> move(Tensor parameters, Tensor gradient) {
        try (Scope scope = Scope.open()) {
            Tensor scaled = adaptive ? parameters.abs().timesInPlace(gradient) : gradient;
            double length = scaled.norm().item();
            if (!(length > 0) || Double.isInfinite(length)) {
                return Optional.empty();
            }
            Tensor direction = adaptive ? scaled.timesInPlace(parameters.abs()) : gradient.copy();
            return Optional.of(scope.keep(direction.timesInPlace(rho / length)));
        }
    }
}

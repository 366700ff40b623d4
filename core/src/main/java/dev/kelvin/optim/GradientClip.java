package dev.kelvin.optim;

import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;

/** The length of a gradient, and its limit. */
public final class GradientClip {
    private GradientClip() {}

    /** The Euclidean norm of a gradient. */
    public static double norm(Tensor gradient) {
        try (Scope scope = Scope.open()) {
            return gradient.norm().item();
        }
    }

    /** Shortens the gradient in place to at most {@code limit}, given its norm. A NaN stays one. */
    public static void limit(Tensor gradient, double norm, double limit) {
        if (norm > limit) {
            gradient.timesInPlace(limit / norm);
        }
    }
}

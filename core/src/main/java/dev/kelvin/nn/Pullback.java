package dev.kelvin.nn;

import dev.kelvin.tensor.Tensor;
import java.util.function.UnaryOperator;

/**
 * A network's output and the way back from it: {@code parameterGradient} maps weights v of the output's shape to
 * Σᵢ vᵢ·∂outputᵢ/∂parameters, a flat vector. It may be asked once, while the scope that it was made in is open.
 */
public record Pullback(Tensor output, UnaryOperator<Tensor> parameterGradient) {}

package dev.kelvin.nn;

import dev.kelvin.tensor.Tensor;
import java.util.function.UnaryOperator;

/**
 * A network's output and the way back from it: {@code gradient} maps weights v of the output's shape to Σᵢ vᵢ·∂outputᵢ/∂θ,
 * θ being the parameters, as a flat vector, or the input. It may be asked once, while the scope that it was made in is
 * open.
 */
public record Pullback(Tensor output, UnaryOperator<Tensor> gradient) {}

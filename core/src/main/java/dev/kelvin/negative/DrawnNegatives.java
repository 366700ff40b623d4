package dev.kelvin.negative;

import dev.kelvin.tensor.Tensor;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Samples of the model [count, ...], each with its component, and how often their chains' proposals were accepted.
 *
 * @param last their chains' last moves, if they were requested
 */
public record DrawnNegatives(Tensor x, long[] k, OptionalDouble acceptance, Optional<DifferentiableTail> last) {
    /** The samples alone. */
    public DrawnNegatives(Tensor x, long[] k, OptionalDouble acceptance) {
        this(x, k, acceptance, Optional.empty());
    }
}

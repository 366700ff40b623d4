package dev.kelvin.negative;

import dev.kelvin.tensor.Tensor;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Samples of the model [count, ...], each with its component, and how often their chains' proposals were accepted.
 *
 * @param last their chains' last moves, if they were requested
 * @param displacement of particles that push each other: the mean over samples and coordinates of the squared difference
 *     between where their chains started in this draw and where they ended
 */
public record DrawnNegatives(
        Tensor x,
        long[] k,
        OptionalDouble acceptance,
        Optional<DifferentiableTail> last,
        OptionalDouble displacement) {
    /** The samples alone. */
    public DrawnNegatives(Tensor x, long[] k, OptionalDouble acceptance) {
        this(x, k, acceptance, Optional.empty(), OptionalDouble.empty());
    }

    /** With their chains' last moves. */
    public DrawnNegatives(Tensor x, long[] k, OptionalDouble acceptance, Optional<DifferentiableTail> last) {
        this(x, k, acceptance, last, OptionalDouble.empty());
    }

    /** Returns a copy with the displacement. */
    DrawnNegatives moved(OptionalDouble by) {
        return new DrawnNegatives(x, k, acceptance, last, by);
    }
}

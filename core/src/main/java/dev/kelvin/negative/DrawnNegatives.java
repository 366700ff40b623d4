package dev.kelvin.negative;

import dev.kelvin.sample.StepInfo;
import dev.kelvin.sample.chain.ChainRun;
import dev.kelvin.tensor.Tensor;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Samples of the model [count, ...], each with its component, and how often their chains' proposals were accepted.
 *
 * @param last their chains' last moves, if they were requested
 * @param stepDivisor the mean of 1/G along chains with a preconditioner; empty where they were recorded on a GPU
 */
public record DrawnNegatives(
        Tensor x, long[] k, OptionalDouble acceptance, Optional<DifferentiableTail> last, OptionalDouble stepDivisor) {
    /** Without a preconditioner. */
    public DrawnNegatives(Tensor x, long[] k, OptionalDouble acceptance, Optional<DifferentiableTail> last) {
        this(x, k, acceptance, last, OptionalDouble.empty());
    }

    static DrawnNegatives of(
            ChainRun walk, long[] k, OptionalDouble acceptance, Optional<DifferentiableTail> last) {
        double[] divisor = walk.more().getOrDefault(StepInfo.STEP_DIVISOR, new double[0]);
        return new DrawnNegatives(
                walk.x(), k, acceptance, last, Arrays.stream(divisor).average());
    }

    /** The samples alone. */
    public DrawnNegatives(Tensor x, long[] k, OptionalDouble acceptance) {
        this(x, k, acceptance, Optional.empty());
    }
}

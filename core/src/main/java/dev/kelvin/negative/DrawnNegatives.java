package dev.kelvin.negative;

import dev.kelvin.sample.StepInfo;
import dev.kelvin.sample.chain.ChainRun;
import dev.kelvin.tensor.Tensor;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;

/**
 * Samples of the model [count, ...], each with its component, and how often their chains' proposals were accepted.
 *
 * @param last their chains' last moves, if they were requested
 * @param figures what else is known of their chains, by the figure's name: {@link StepInfo#STEP_DIVISOR}, {@link
 *     StepInfo#DISPLACEMENT}
 */
public record DrawnNegatives(
        Tensor x, long[] k, OptionalDouble acceptance, Optional<DifferentiableTail> last, Map<String, Double> figures) {
    /** The samples alone. */
    public DrawnNegatives(Tensor x, long[] k, OptionalDouble acceptance) {
        this(x, k, acceptance, Optional.empty());
    }

    /** With their chains' last moves. */
    public DrawnNegatives(Tensor x, long[] k, OptionalDouble acceptance, Optional<DifferentiableTail> last) {
        this(x, k, acceptance, last, Map.of());
    }

    /** Of chains, with the mean of what their steps were divided by where that was measured. */
    static DrawnNegatives of(ChainRun walk, long[] k, OptionalDouble acceptance, Optional<DifferentiableTail> last) {
        DrawnNegatives drawn = new DrawnNegatives(walk.x(), k, acceptance, last);
        double[] divisor = walk.more().getOrDefault(StepInfo.STEP_DIVISOR, new double[0]);
        return divisor.length == 0
                ? drawn
                : drawn.with(
                        StepInfo.STEP_DIVISOR, Arrays.stream(divisor).average().getAsDouble());
    }

    /** With one more figure. */
    DrawnNegatives with(String figure, double value) {
        Map<String, Double> more = new TreeMap<>(figures);
        more.put(figure, value);
        return new DrawnNegatives(x, k, acceptance, last, more);
    }
}

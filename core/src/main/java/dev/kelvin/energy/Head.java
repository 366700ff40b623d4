package dev.kelvin.energy;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.kelvin.tensor.Tensor;
import java.util.stream.DoubleStream;

/** How a network's outputs become the table f(x)_k, and what its components are. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(value = LogitHead.class, name = "direct"),
    @JsonSubTypes.Type(value = TiltedGaussianHead.class, name = "tilted"),
    @JsonSubTypes.Type(value = Timeline.class, name = "timeline")
})
public sealed interface Head permits LogitHead, TiltedGaussianHead, Timeline {
    /** K, how many components the table has. */
    int components();

    /** Whether the network's outputs are the f(x)_k themselves: of a plain energy, and the logits of one with classes. */
    default boolean hasLogits() {
        return false;
    }

    /** How many outputs the network must have. */
    default int outputs() {
        return components();
    }

    /** Maps samples to network inputs. */
    default Tensor seen(Tensor x) {
        return x;
    }

    /** The table [n, K] from the network's outputs at what it saw. */
    Tensor table(Tensor outputs, Tensor seen);

    /** From weights on the table to weights on the network's outputs. */
    default Tensor outputWeights(Tensor weights) {
        return weights;
    }

    /**
     * From the gradient at what the network saw, which it may change, to that at x, for these weights on the table, each row
     * of which sums to {@code total}.
     */
    Tensor inputGradient(Tensor gradient, Tensor seen, Tensor weights, double total);

    /** Which mixture of the components is the data's density: log-weights, as {@link JointDensity#mixture} takes them. */
    default double[] data() {
        return new double[components()];
    }

    /** What each component's step size should begin at, as a factor on the kernel's. */
    default double[] firstSteps() {
        return DoubleStream.generate(() -> 1).limit(components()).toArray();
    }
}

package dev.kelvin.nn;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.kelvin.part.Words;
import dev.kelvin.tensor.Tensor;

/** A network's non-linearity, with its derivative. The slope below 0 matters to {@link #LEAKY_RELU} alone. */
public enum Activation {
    /** max(x, slope·x). */
    LEAKY_RELU,

    /** max(x, 0). */
    RELU,

    /** x·sigmoid(x), also called swish. */
    SILU,

    /** log(1 + exp(x)). */
    SOFTPLUS,

    /** The hyperbolic tangent. */
    TANH;

    /** The activation of every number; the slope is leaky ReLU's. */
    public Tensor apply(Tensor input, double slope) {
        return switch (this) {
            case LEAKY_RELU -> input.leakyRelu(slope);
            case RELU -> input.leakyRelu(0);
            case SILU -> input.silu();
            case SOFTPLUS -> input.softplus();
            case TANH -> input.tanh();
        };
    }

    /** The activation of every number, which may be written over the input where the pullback needs only the output. */
    public Tensor applyOver(Tensor input, double slope) {
        return switch (this) {
            case LEAKY_RELU -> input.leakyReluInPlace(slope);
            case RELU -> input.leakyReluInPlace(0);
            case SILU, SOFTPLUS, TANH -> apply(input, slope);
        };
    }

    /** The gradient at the output pulled back to the input: gradient ⊙ activation'(input). */
    public Tensor pullback(Tensor gradient, Tensor input, Tensor output, double slope) {
        return switch (this) {
            case LEAKY_RELU -> gradient.leakyReluBackward(output, slope);
            case RELU -> gradient.leakyReluBackward(output, 0);
            case SILU -> gradient.siluBackward(input);
            case SOFTPLUS -> gradient.times(input.sigmoid());
            case TANH -> gradient.tanhBackward(output);
        };
    }

    /** As recipes and checkpoints write it: leaky-relu. */
    @JsonValue
    public String word() {
        return Words.kebab(name());
    }
}

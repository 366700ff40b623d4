package dev.kelvin.nn;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.kelvin.Check;
import dev.kelvin.tensor.Tensor;

/** A network's non-linearity, with its derivative. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(value = Activation.LeakyRelu.class, name = "leaky-relu"),
    @JsonSubTypes.Type(value = Activation.Silu.class, name = "silu"),
    @JsonSubTypes.Type(value = Activation.Softplus.class, name = "softplus"),
    @JsonSubTypes.Type(value = Activation.Tanh.class, name = "tanh")
})
public sealed interface Activation {
    Tensor apply(Tensor input);

    /** The same; may write over the input where the pullback needs only the output. */
    default Tensor applyOver(Tensor input) {
        return apply(input);
    }

    /** The gradient at the output pulled back to the input: gradient ⊙ activation'(input). */
    Tensor pullback(Tensor gradient, Tensor input, Tensor output);

    /** max(x, slope·x). */
    record LeakyRelu(double slope) implements Activation {
        public LeakyRelu {
            Check.within("slope", slope, 0, 1);
        }

        @Override
        public Tensor apply(Tensor input) {
            return input.leakyRelu(slope);
        }

        @Override
        public Tensor applyOver(Tensor input) {
            return input.leakyReluInPlace(slope);
        }

        @Override
        public Tensor pullback(Tensor gradient, Tensor input, Tensor output) {
            return gradient.leakyReluBackward(output, slope);
        }
    }

    /** x·sigmoid(x), also called swish. */
    record Silu() implements Activation {
        @Override
        public Tensor apply(Tensor input) {
            return input.silu();
        }

        @Override
        public Tensor pullback(Tensor gradient, Tensor input, Tensor output) {
            return gradient.siluBackward(input);
        }
    }

    /** log(1 + exp(x)). */
    record Softplus() implements Activation {
        @Override
        public Tensor apply(Tensor input) {
            return input.softplus();
        }

        @Override
        public Tensor pullback(Tensor gradient, Tensor input, Tensor output) {
            return gradient.times(input.sigmoid());
        }
    }

    /** The hyperbolic tangent. */
    record Tanh() implements Activation {
        @Override
        public Tensor apply(Tensor input) {
            return input.tanh();
        }

        @Override
        public Tensor pullback(Tensor gradient, Tensor input, Tensor output) {
            return gradient.tanhBackward(output);
        }
    }
}

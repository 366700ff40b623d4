package dev.kelvin.nn;

import dev.kelvin.Check;
import dev.kelvin.tensor.Tensor;

/**
 * Fully connected residual blocks of one width; deeper than an {@link Mlp} can be trained.
 *
 * <p>h = W_in x + b; each block h ← h + W₂φ(W₁φ(h) + b₁) + b₂; output W_out φ(h) + b. Every block's second layer starts
 * at zero, so that the network starts as a shallow one.
 */
public record ResidualMlp(int inputs, int width, int blocks, int outputs, Activation activation) implements Network {
    public ResidualMlp {
        Check.atLeast("inputs", inputs, 1);
        Check.atLeast("width", width, 1);
        Check.atLeast("blocks", blocks, 1);
        Check.atLeast("outputs", outputs, 1);
    }

    @Override
    public Layout layout() {
        Layout.Builder builder = new Layout.Builder().linear("in", inputs, width);
        for (int block = 0; block < blocks; block++) {
            builder.linear("block" + block + ".first", width, width)
                    .add("block" + block + ".second.weight", Initialisation.zeros(), (long) width, (long) width)
                    .add("block" + block + ".second.bias", Initialisation.zeros(), (long) width);
        }
        return builder.linear("out", width, outputs).build();
    }

    @Override
    public Tensor apply(Parameters parameters, Tensor input) {
        Tensor h = linear(parameters, "in", input);
        for (int block = 0; block < blocks; block++) {
            Tensor inner = linear(parameters, "block" + block + ".first", activation.apply(h));
            h = h.plus(linear(parameters, "block" + block + ".second", activation.apply(inner)));
        }
        return linear(parameters, "out", activation.apply(h));
    }

    private static Tensor linear(Parameters parameters, String name, Tensor x) {
        return x.affine(parameters.transposed(name + ".weight"), parameters.get(name + ".bias"));
    }
}

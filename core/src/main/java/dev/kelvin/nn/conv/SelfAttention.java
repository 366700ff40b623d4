package dev.kelvin.nn.conv;

import dev.kelvin.nn.Initialisation;
import dev.kelvin.nn.Layout;
import dev.kelvin.nn.Parameters;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;

/**
 * Lets every pixel look at all others (Zhang et al. 2019).
 *
 * <p>x ← x + γ·V softmax(QᵀK)ᵀ over pixels, with queries Q, keys K and values V by 1×1 convolutions, Q and K of an eighth of
 * the channels. γ starts at 0: at first there is no attention.
 */
record SelfAttention(String name, int channels) {
    private static final int SHARE = 8; // of the channels are queries and keys

    private Convolution projection(String which, int outputs) {
        return Convolution.pixelwise(name + "." + which, channels, outputs, 1, true);
    }

    private int narrow() {
        return Math.max(1, channels / SHARE);
    }

    void addTo(Layout.Builder builder) {
        projection("query", narrow()).addTo(builder);
        projection("key", narrow()).addTo(builder);
        projection("value", channels).addTo(builder);
        builder.add(name + ".gain", Initialisation.zeros(), 1L);
    }

    Tensor apply(Parameters parameters, Tensor x) {
        try (Scope scope = Scope.open()) {
            Tensor query = pixels(parameters, "query", narrow(), x); // [n, channels, pixels]
            Tensor key = pixels(parameters, "key", narrow(), x);
            Tensor value = pixels(parameters, "value", channels, x);
            Tensor attention = query.transpose(1, 2).matmul(key).softmax(2); // [n, looking, looked at]
            Tensor seen = value.matmul(attention.transpose(1, 2)).reshape(x.shape());
            return scope.keep(seen.times(parameters.get(name + ".gain")).plus(x));
        }
    }

    private Tensor pixels(Parameters parameters, String which, int outputs, Tensor x) {
        return projection(which, outputs).apply(parameters, x).reshape(x.size(0), outputs, x.size(2) * x.size(3));
    }
}

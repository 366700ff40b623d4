package dev.kelvin.nn;

import dev.kelvin.Check;
import dev.kelvin.tensor.NoGrad;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Fully connected layers with an activation between them; the choice for points of a few dimensions.
 *
 * <p>h₀ = x, aₗ = Wₗhₗ₋₁ + bₗ, hₗ = φ(aₗ), output = a_L. Both gradients are known in closed form, a few matrix products
 * without a graph: δ_L = v, δₗ₋₁ = (δₗWₗ) ⊙ φ'(aₗ₋₁); ∂/∂Wₗ = δₗᵀhₗ₋₁, ∂/∂bₗ = Σδₗ, ∂/∂x = δ₁W₁.
 */
public record Mlp(int inputs, List<Integer> hidden, int outputs, Activation activation) implements Network {
    public Mlp {
        Check.atLeast("inputs", inputs, 1);
        Check.atLeast("outputs", outputs, 1);
        hidden = List.copyOf(hidden);
        for (int width : hidden) {
            Check.atLeast("hidden", width, 1);
        }
    }

    @Override
    public Layout layout() {
        Layout.Builder builder = new Layout.Builder();
        int from = inputs;
        for (int layer = 0; layer < layers(); layer++) {
            int to = layer < hidden.size() ? hidden.get(layer) : outputs;
            builder.linear("layer" + layer, from, to);
            from = to;
        }
        return builder.build();
    }

    @Override
    public Tensor apply(Parameters parameters, Tensor input) {
        return forward(parameters, input).output();
    }

    @Override
    public OutputAndGradient outputAndInputGradient(Parameters parameters, Tensor input) {
        try (Scope scope = Scope.open();
                NoGrad noGrad = NoGrad.open()) {
            Trace trace = forward(parameters, input);
            Tensor delta = Tensors.full(1, input.dtype(), input.device(), 1, 1).expand(input.size(0), outputs);
            for (int layer = layers() - 1; layer > 0; layer--) {
                delta = pulledBack(parameters, trace, delta, layer);
            }
            return new OutputAndGradient(
                    scope.keep(trace.output()), scope.keep(delta.matmul(parameters.get(weight(0)))));
        }
    }

    @Override
    public Pullback pullback(Parameters parameters, Tensor input) {
        try (NoGrad noGrad = NoGrad.open()) {
            Trace trace = forward(parameters, input);
            return new Pullback(trace.output(), weights -> parameterGradient(parameters, trace, weights));
        }
    }

    private Tensor parameterGradient(Parameters parameters, Trace trace, Tensor weights) {
        try (Scope scope = Scope.open();
                NoGrad noGrad = NoGrad.open()) {
            List<Tensor> parts = new ArrayList<>();
            Tensor delta = weights;
            for (int layer = layers() - 1; layer >= 0; layer--) {
                parts.add(delta.sum(0L)); // the list is built from the back: bias, then weight
                parts.add(delta.transpose().matmul(trace.inputs.get(layer)).reshape(-1));
                if (layer > 0) {
                    delta = pulledBack(parameters, trace, delta, layer);
                }
            }
            Collections.reverse(parts);
            return scope.keep(Tensors.concat(0, parts));
        }
    }

    /** From the gradient at a layer's affine output to that of the layer below: (δₗWₗ) ⊙ φ'(aₗ₋₁). */
    private Tensor pulledBack(Parameters parameters, Trace trace, Tensor delta, int layer) {
        Tensor below = delta.matmul(parameters.get(weight(layer)));
        return activation.pullback(below, trace.affines.get(layer - 1), trace.inputs.get(layer));
    }

    /** What the forward pass left behind: each layer's input hₗ₋₁ and its affine output aₗ. */
    private record Trace(List<Tensor> inputs, List<Tensor> affines) {
        Tensor output() {
            return affines.get(affines.size() - 1);
        }
    }

    private Trace forward(Parameters parameters, Tensor input) {
        List<Tensor> inputs = new ArrayList<>();
        List<Tensor> affines = new ArrayList<>();
        Tensor h = input;
        for (int layer = 0; layer < layers(); layer++) {
            if (layer > 0) {
                h = activation.apply(affines.get(layer - 1));
            }
            inputs.add(h);
            affines.add(h.linear(parameters.get(weight(layer)), parameters.get("layer" + layer + ".bias")));
        }
        return new Trace(inputs, affines);
    }

    private int layers() {
        return hidden.size() + 1;
    }

    private static String weight(int layer) {
        return "layer" + layer + ".weight";
    }
}

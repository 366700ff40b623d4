package dev.kelvin.nn;

import dev.kelvin.part.Check;
import dev.kelvin.part.Default;
import dev.kelvin.part.Doc;
import dev.kelvin.part.Given;
import dev.kelvin.tensor.NoGrad;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * Fully connected layers with an activation between them; the choice for points of a few dimensions.
 *
 * <p>h₀ = x, aₗ = Wₗhₗ₋₁ + bₗ, hₗ = φ(aₗ), output = a_L. Both gradients are known in closed form, a few matrix products
 * without a graph: δ_L = v, δₗ₋₁ = (δₗWₗ) ⊙ φ'(aₗ₋₁); ∂/∂Wₗ = δₗᵀhₗ₋₁, ∂/∂bₗ = Σδₗ, ∂/∂x = δ₁W₁.
 */
@Doc("a fully connected network")
public record Mlp(
        @Given("1") int inputs,

        @Doc("the widths of the hidden layers") List<Integer> hidden,

        @Given("1") int outputs,

        @Doc("the activation after each hidden layer") @Default("leaky-relu")
        Activation activation,

        @Doc("the negative slope of leaky-relu") @Default("0.05")
        double slope)
        implements Network {
    public Mlp {
        List<Integer> copy = List.copyOf(hidden);
        Check.all(
                () -> Check.atLeast("inputs", inputs, 1),
                () -> Check.notEmpty("hidden", copy),
                () -> Check.eachAtLeast("hidden", copy, 1),
                () -> Check.atLeast("outputs", outputs, 1),
                () -> Check.within("slope", slope, 0, 1));
        hidden = copy;
    }

    /** How many numbers a sample of this shape has. */
    public static int inputs(List<Long> shape) {
        return Math.toIntExact(shape.stream().reduce(1L, Math::multiplyExact));
    }

    @Override
    public Mlp shaped(List<Long> shape, int outputs) {
        return new Mlp(inputs(shape), hidden, outputs, activation, slope);
    }

    @Override
    public String words() {
        return "a fully connected network with hidden layers of "
                + hidden.stream().map(String::valueOf).collect(Collectors.joining(", ")) + " units";
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
        return affine(
                parameters,
                layers() - 1,
                hiddenLayers(parameters, input, a -> activation.apply(a, slope)).last());
    }

    @Override
    public OutputAndGradient outputAndInputGradient(Parameters parameters, Tensor input) {
        try (Scope scope = Scope.open();
                NoGrad noGrad = NoGrad.open()) {
            Trace trace = hiddenLayers(parameters, input, this::activeOver);
            Tensor output = scope.keep(affine(parameters, layers() - 1, trace.last()));
            return new OutputAndGradient(output, scope.keep(inputGradient(parameters, trace)));
        }
    }

    @Override
    public Tensor inputGradient(Parameters parameters, Tensor input) {
        try (Scope scope = Scope.open();
                NoGrad noGrad = NoGrad.open()) {
            return scope.keep(inputGradient(parameters, hiddenLayers(parameters, input, this::activeOver)));
        }
    }

    @Override
    public Pullback inputPullback(Parameters parameters, Tensor input) {
        try (NoGrad noGrad = NoGrad.open()) {
            Trace trace = hiddenLayers(parameters, input, this::activeOver);
            Tensor output = affine(parameters, layers() - 1, trace.last());
            Tensor top = parameters.get(weight(layers() - 1));
            return new Pullback(output, weights -> {
                try (NoGrad without = NoGrad.open()) {
                    return inputGradient(parameters, trace, weights.matmul(top));
                }
            });
        }
    }

    /** The gradient of the outputs' sum: from the top, whose weights are all 1, so that δ_L W_L is W_L's column sum. */
    private Tensor inputGradient(Parameters parameters, Trace trace) {
        Tensor top = parameters.get(weight(layers() - 1));
        long n = trace.inputs.get(0).size(0);
        Tensor below = (outputs == 1 ? top : top.sum(0L)).expand(n, top.size(1));
        return inputGradient(parameters, trace, below);
    }

    /** The gradient at the input, from that at the last layer's input. */
    private Tensor inputGradient(Parameters parameters, Trace trace, Tensor top) {
        Tensor below = top;
        for (int layer = layers() - 1; layer > 0; layer--) {
            Tensor delta = activation.pullback(below, trace.affines.get(layer - 1), trace.inputs.get(layer), slope);
            below = delta.matmul(parameters.get(weight(layer - 1)));
        }
        return below;
    }

    @Override
    public Pullback pullback(Parameters parameters, Tensor input) {
        try (NoGrad noGrad = NoGrad.open()) {
            Trace trace = hiddenLayers(parameters, input, this::activeOver);
            Tensor output = affine(parameters, layers() - 1, trace.last());
            return new Pullback(output, weights -> parameterGradient(parameters, trace, weights));
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
                    Tensor below = delta.matmul(parameters.get(weight(layer)));
                    delta = activation.pullback(below, trace.affines.get(layer - 1), trace.inputs.get(layer), slope);
                }
            }
            Collections.reverse(parts);
            return scope.keep(Tensors.concat(0, parts));
        }
    }

    /** What the forward pass left behind: every layer's input hₗ₋₁, and every hidden layer's affine output aₗ. */
    private record Trace(List<Tensor> inputs, List<Tensor> affines) {
        Tensor last() {
            return inputs.get(inputs.size() - 1);
        }
    }

    private Trace hiddenLayers(Parameters parameters, Tensor input, UnaryOperator<Tensor> act) {
        List<Tensor> inputs = new ArrayList<>(List.of(input));
        List<Tensor> affines = new ArrayList<>();
        for (int layer = 0; layer < hidden.size(); layer++) {
            affines.add(affine(parameters, layer, inputs.get(layer)));
            inputs.add(act.apply(affines.get(layer)));
        }
        return new Trace(inputs, affines);
    }

    private Tensor activeOver(Tensor a) {
        return activation.applyOver(a, slope);
    }

    private static Tensor affine(Parameters parameters, int layer, Tensor h) {
        return parameters.linear("layer" + layer, h);
    }

    private int layers() {
        return hidden.size() + 1;
    }

    private static String weight(int layer) {
        return "layer" + layer + ".weight";
    }
}

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
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;

/**
 * Fully connected residual blocks of one width; deeper than an {@link Mlp} can be trained.
 *
 * <p>h = W_in x + b; each block h ← h + W₂φ(W₁φ(h) + b₁) + b₂; output W_out φ(h) + b. Every block's second layer starts
 * at zero, so that the network starts as a shallow one. As an {@link Mlp}, it knows its gradients in closed form: with δ
 * at a block's output, γ = δW₂ ⊙ φ'(W₁φ(h) + b₁) and at its input δ + γW₁ ⊙ φ'(h).
 */
@Doc("a fully connected residual network")
public record ResidualMlp(
        @Given("1") int inputs,

        @Doc("the width of every layer") int width,

        @Doc("the number of blocks") int blocks,

        @Given("1") int outputs,

        @Doc("the activation after each hidden layer") @Default("leaky-relu")
        Activation activation,

        @Doc("the negative slope of leaky-relu") @Default("0.05")
        double slope)
        implements Network {
    public ResidualMlp {
        Check.all(
                () -> Check.atLeast("inputs", inputs, 1),
                () -> Check.atLeast("width", width, 1),
                () -> Check.atLeast("blocks", blocks, 1),
                () -> Check.atLeast("outputs", outputs, 1),
                () -> Check.within("slope", slope, 0, 1));
    }

    @Override
    public ResidualMlp shaped(List<Long> shape, int outputs) {
        return new ResidualMlp(Mlp.inputs(shape), width, blocks, outputs, activation, slope);
    }

    @Override
    public String words() {
        return "a fully connected residual network of " + blocks + " blocks, " + width + " units wide";
    }

    @Override
    public Layout layout() {
        Layout.Builder builder = new Layout.Builder().linear("in", inputs, width);
        for (int block = 0; block < blocks; block++) {
            builder.linear(first(block), width, width)
                    .add(second(block) + ".weight", Initialisation.zeros(), (long) width, (long) width)
                    .add(second(block) + ".bias", Initialisation.zeros(), (long) width);
        }
        return builder.linear("out", width, outputs).build();
    }

    @Override
    public Tensor apply(Parameters parameters, Tensor input) {
        return forward(parameters, input, this::active).output;
    }

    @Override
    public Pullback pullback(Parameters parameters, Tensor input) {
        try (NoGrad noGrad = NoGrad.open()) {
            Trace trace = forward(parameters, input, this::activeOver);
            return new Pullback(trace.output, weights -> parameterGradient(parameters, trace, input, weights));
        }
    }

    @Override
    public Pullback inputPullback(Parameters parameters, Tensor input) {
        try (NoGrad noGrad = NoGrad.open()) {
            Trace trace = forward(parameters, input, this::activeOver);
            return new Pullback(trace.output, weights -> inputGradient(parameters, trace, weights));
        }
    }

    private Tensor inputGradient(Parameters parameters, Trace trace, Tensor weights) {
        try (Scope scope = Scope.open();
                NoGrad noGrad = NoGrad.open()) {
            Tensor bottom = backward(parameters, trace, weights, (delta, input) -> {});
            return scope.keep(bottom.matmul(parameters.get("in.weight")));
        }
    }

    private Tensor parameterGradient(Parameters parameters, Trace trace, Tensor input, Tensor weights) {
        try (Scope scope = Scope.open();
                NoGrad noGrad = NoGrad.open()) {
            List<Tensor> parts = new ArrayList<>();
            BiConsumer<Tensor, Tensor> layer = (delta, below) -> {
                parts.add(delta.sum(0L)); // the list is built from the back: bias, then weight
                parts.add(delta.transpose().matmul(below).reshape(-1));
            };
            layer.accept(backward(parameters, trace, weights, layer), input);
            Collections.reverse(parts);
            return scope.keep(Tensors.concat(0, parts));
        }
    }

    /** A block's input h, φ(h), the first layer's output a and φ(a). */
    private record Block(Tensor h, Tensor outer, Tensor a, Tensor inner) {}

    /** What the forward pass left behind; {@code top} is φ of the last block's output {@code h}. */
    private record Trace(List<Block> blocks, Tensor h, Tensor top, Tensor output) {}

    private Trace forward(Parameters parameters, Tensor input, UnaryOperator<Tensor> act) {
        List<Block> done = new ArrayList<>();
        Tensor h = parameters.linear("in", input);
        for (int block = 0; block < blocks; block++) {
            Tensor outer = active(h);
            Tensor a = parameters.linear(first(block), outer);
            Block all = new Block(h, outer, a, act.apply(a));
            done.add(all);
            h = parameters.linear(second(block), all.inner).plus(h);
        }
        Tensor top = active(h);
        return new Trace(done, h, top, parameters.linear("out", top));
    }

    /** The gradient δ at the first layer's output; {@code eachLayer} takes δ and the input of every layer above, from the last. */
    private Tensor backward(Parameters parameters, Trace trace, Tensor weights, BiConsumer<Tensor, Tensor> eachLayer) {
        eachLayer.accept(weights, trace.top);
        Tensor delta = activation.pullback(back(parameters, "out", weights), trace.h, trace.top, slope);
        for (int i = blocks - 1; i >= 0; i--) {
            Block block = trace.blocks.get(i);
            eachLayer.accept(delta, block.inner);
            Tensor gamma = activation.pullback(back(parameters, second(i), delta), block.a, block.inner, slope);
            eachLayer.accept(gamma, block.outer);
            Tensor skipped = activation.pullback(back(parameters, first(i), gamma), block.h, block.outer, slope);
            delta = skipped.addInPlace(delta);
        }
        return delta;
    }

    private Tensor active(Tensor a) {
        return activation.apply(a, slope);
    }

    private Tensor activeOver(Tensor a) {
        return activation.applyOver(a, slope);
    }

    private static Tensor back(Parameters parameters, String name, Tensor delta) {
        return delta.matmul(parameters.get(name + ".weight"));
    }

    private static String first(int block) {
        return "block" + block + ".first";
    }

    private static String second(int block) {
        return "block" + block + ".second";
    }
}

package dev.kelvin.nn.conv;

import dev.kelvin.nn.Parameters;
import dev.kelvin.nn.conv.ResidualStack.Block;
import dev.kelvin.tensor.ConvolutionGradients;
import dev.kelvin.tensor.Fused;
import dev.kelvin.tensor.Tensor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The output of a residual stack of pre-activated blocks without norms, after a last leaky ReLU, with the way back from there
 * written out: on a GPU biases, sums, activations and their derivatives then take one pass over memory each ({@link Fused}),
 * where automatic differentiation takes two to four.
 *
 * <pre>
 * u = W₁a + b₁, h = φ(u), s' = s̃ + W₂h + b₂, a' = φ(s');   s̃ = s, or Ss + b where there is a skip
 * ∂h = W₂ᵀ∂s', ∂u = φ'(u)∂h, ∂s = φ'(s)W₁ᵀ∂u + ∂s̃
 * </pre>
 */
final class StackPullback {
    private static final String PADDED = "in.weight.padded";

    private final Parameters parameters;
    private final Convolution in;
    private final double slope;
    private final Tensor images; // with channels of zeros, and the weights for them
    private final Tensor weight;
    private final List<Trace> blocks = new ArrayList<>();
    private Fused.Sum top;

    /** A block with what its convolutions saw: a, h and s. */
    private record Trace(Block block, Tensor outer, Tensor inner, Tensor sum) {}

    StackPullback(ResidualStack stack, Parameters parameters, Tensor images) {
        this.parameters = parameters;
        this.in = stack.in();
        this.slope = stack.slope();
        this.images = Fused.padded(images);
        this.weight = parameters.has(PADDED) ? parameters.get(PADDED) : Fused.padded(parameters.get(in.weight()));
        this.top = Fused.sumActivation(
                this.images.conv2d(weight, in.stride(), in.padding()),
                bias(in),
                Optional.empty(),
                Optional.empty(),
                slope);
        stack.all().forEach(this::through);
    }

    /** With what is made of the parameters once for many passes. */
    static Parameters prepared(ResidualStack stack, Parameters parameters) {
        return parameters.with(
                Map.of(PADDED, Fused.padded(parameters.get(stack.in().weight()))));
    }

    private void through(Block block) {
        Tensor u = block.first().withoutBias(parameters, top.activation());
        Tensor inner = Fused.biasActivation(u, bias(block.first()), slope);
        blocks.add(new Trace(block, top.activation(), inner, top.sum()));
        Tensor skipped = block.skip()
                .map(skip -> skip.withoutBias(parameters, top.sum()))
                .orElse(top.sum());
        top = Fused.sumActivation(
                block.second().withoutBias(parameters, inner),
                bias(block.second()),
                Optional.of(skipped),
                block.skip().map(this::bias),
                slope);
    }

    private Tensor bias(Convolution convolution) {
        return parameters.get(convolution.bias());
    }

    /** The last activation. */
    Tensor output() {
        return top.activation();
    }

    /** The gradient with respect to the images, given that at the output. */
    Tensor inputGradient(Tensor gradient) {
        Tensor first = back(gradient, Optional.empty());
        return atStart(first, ConvolutionGradients.Wanted.INPUT).input().narrow(1, 0, in.inputs());
    }

    /** The gradients with respect to the parameters by their names, given that at the output. */
    Map<String, Tensor> parameterGradients(Tensor gradient) {
        Map<String, Tensor> found = new HashMap<>();
        Tensor first = back(gradient, Optional.of(found));
        atStart(first, ConvolutionGradients.Wanted.PARAMETERS).addTo(found, in.weight(), in.bias());
        found.computeIfPresent(in.weight(), (name, wide) -> wide.narrow(1, 0, in.inputs()));
        return found;
    }

    private ConvolutionGradients atStart(Tensor gradient, ConvolutionGradients.Wanted wanted) {
        return ConvolutionGradients.of(gradient, images, weight, in.stride(), in.padding(), wanted);
    }

    /** The gradient at the first convolution's output; those of the blocks' parameters go into the map where there is one. */
    private Tensor back(Tensor gradient, Optional<Map<String, Tensor>> found) {
        Tensor sum = Fused.activationGradient(gradient, top.activation(), Optional.empty(), slope);
        for (int i = blocks.size() - 1; i >= 0; i--) {
            Trace at = blocks.get(i);
            Tensor here = sum;
            Tensor inner = through(at.block.second(), at.inner, here, found);
            Tensor u = Fused.activationGradient(inner, at.inner, Optional.empty(), slope);
            Tensor outer = through(at.block.first(), at.outer, u, found);
            Tensor skipped = at.block
                    .skip()
                    .map(skip -> through(skip, at.sum, here, found))
                    .orElse(here);
            sum = Fused.activationGradient(outer, at.outer, Optional.of(skipped), slope);
        }
        return sum;
    }

    private Tensor through(
            Convolution convolution, Tensor input, Tensor gradient, Optional<Map<String, Tensor>> found) {
        ConvolutionGradients all = convolution.gradients(
                parameters,
                input,
                gradient,
                found.isPresent() ? ConvolutionGradients.Wanted.ALL : ConvolutionGradients.Wanted.INPUT);
        found.ifPresent(map -> all.addTo(map, convolution.weight(), convolution.bias()));
        return all.input();
    }
}

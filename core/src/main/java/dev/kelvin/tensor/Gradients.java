package dev.kelvin.tensor;

import java.util.ArrayList;
import java.util.List;
import org.bytedeco.pytorch.BoolOptional;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/** Derivatives by libtorch's automatic differentiation. */
public final class Gradients {
    private Gradients() {}

    /** Σᵢ vᵢ · ∂outputᵢ/∂input for each input, v = {@code weights}; the graph is used up. */
    public static List<Tensor> of(Tensor output, Tensor weights, List<Tensor> inputs) {
        return gradients(output, weights, inputs, false);
    }

    /** ∂(Σ output)/∂input; the graph is used up. */
    public static Tensor of(Tensor output, Tensor input) {
        return sumGradient(output, input, false);
    }

    /** ∂(Σ output)/∂input as a node of the graph, to be differentiated again. */
    public static Tensor withGraph(Tensor output, Tensor input) {
        return sumGradient(output, input, true);
    }

    private static Tensor sumGradient(Tensor output, Tensor input, boolean createGraph) {
        try (Scope scope = Scope.open()) {
            Tensor ones = Tensors.full(1, output.dtype(), output.device(), output.shape());
            return scope.keep(
                    gradients(output, ones, List.of(input), createGraph).get(0));
        }
    }

    private static List<Tensor> gradients(Tensor output, Tensor weights, List<Tensor> inputs, boolean createGraph) {
        try (TensorVector outputs = Tensors.vector(List.of(output));
                TensorVector sources = Tensors.vector(inputs);
                TensorVector cotangents = Tensors.vector(List.of(weights));
                BoolOptional retain = new BoolOptional(createGraph);
                TensorVector found = torch.grad(outputs, sources, cotangents, retain, createGraph, true)) {
            List<Tensor> gradients = new ArrayList<>();
            for (int i = 0; i < inputs.size(); i++) {
                Tensor input = inputs.get(i);
                org.bytedeco.pytorch.Tensor raw = found.get(i);
                // an input that the output does not depend on has no gradient: that is zero
                gradients.add(
                        raw.defined()
                                ? Tensor.of(() -> new org.bytedeco.pytorch.Tensor(raw))
                                : Tensors.zerosLike(input));
            }
            return gradients;
        } catch (RuntimeException e) {
            throw TensorException.of(e);
        }
    }
}

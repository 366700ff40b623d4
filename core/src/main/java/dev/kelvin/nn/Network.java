package dev.kelvin.nn;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.kelvin.nn.conv.Generator;
import dev.kelvin.part.Catalogue;
import dev.kelvin.part.Kind;
import dev.kelvin.part.PartIdResolver;
import dev.kelvin.part.Words;
import dev.kelvin.tensor.Gradients;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.List;
import tools.jackson.databind.annotation.JsonTypeIdResolver;

/**
 * A pure function of (parameters, input), [n, ...] → [n, outputs]. Its description is data; its parameters live
 * elsewhere. Images are [n, channels, height, width]; {@link Generator} is the one network whose outputs are.
 *
 * <p>A record of one's own that implements it, has {@link dev.kelvin.part.Doc} and is registered by a {@link
 * dev.kelvin.part.PartProvider} can be named in recipes; those without can only be saved and loaded, such as the ones that wrap
 * another.
 */
@Kind("network")
@JsonTypeInfo(use = JsonTypeInfo.Id.CUSTOM, property = "type")
@JsonTypeIdResolver(PartIdResolver.class)
public interface Network {
    /** The names, sizes and first values of its parameters. */
    Layout layout();

    /** This network for samples of this shape, without n, and this number of outputs: what the data decides. */
    default Network shaped(List<Long> shape, int outputs) {
        return this;
    }

    /** Whether it takes images rather than points. */
    default boolean takesImages() {
        return false;
    }

    /** Whether in training a row's output depends on that row alone; not so with batch norm. */
    default boolean rowsAlone() {
        return true;
    }

    /** What it is, for the report: "a fully connected network with ...". */
    default String words() {
        return "the network " + Words.quote(Catalogue.name(getClass()));
    }

    /** The output, [n, ...] → [n, outputs]. */
    Tensor apply(Parameters parameters, Tensor input);

    /** The output that is trained: another where a layer looks at the whole batch, as batch norm does. */
    default Tensor inTraining(Parameters parameters, Tensor input) {
        return apply(parameters, input);
    }

    /** Of a network with an output for each class, that of the i-th sample's class {@code labels[i]}, [n, 1]. */
    default Network given(long... labels) {
        return new ClassOutput(this, new Labels(labels));
    }

    /** The output with the way back to the parameters; by automatic differentiation, unless a network knows better. */
    default Pullback pullback(Parameters parameters, Tensor input) {
        Parameters live = parameters.live();
        Tensor output = inTraining(live, input);
        return new Pullback(output, weights -> live.gradient(output, weights));
    }

    /** The output with the way back to the input; by automatic differentiation, unless a network knows better. */
    default Pullback inputPullback(Parameters parameters, Tensor input) {
        Tensor leaf = input.asLeaf();
        Tensor output = apply(parameters, leaf);
        return new Pullback(
                output.detach(),
                weights -> Gradients.of(output, weights, List.of(leaf)).get(0));
    }

    /** The output with the gradient of its sum with respect to the input. */
    default OutputAndGradient outputAndInputGradient(Parameters parameters, Tensor input) {
        try (Scope scope = Scope.open()) {
            Pullback both = inputPullback(parameters, input);
            Tensor output = both.output();
            Tensor ones = Tensors.full(1, output.dtype(), output.device(), output.shape());
            return new OutputAndGradient(
                    scope.keep(output), scope.keep(both.gradient().apply(ones)));
        }
    }

    /** The gradient alone, for samplers that need no more. */
    default Tensor inputGradient(Parameters parameters, Tensor input) {
        return Scope.kept(() -> outputAndInputGradient(parameters, input).gradient());
    }

    /** These parameters made ready for many calls without change; what is new belongs to the current scope. */
    default Parameters frozen(Parameters parameters) {
        return parameters;
    }

    /**
     * After a step of the optimiser with these positives: moves, in place, what training does not, such as spectral norms'
     * vectors and running statistics.
     */
    default void advance(Parameters parameters, Tensor input) {}
}

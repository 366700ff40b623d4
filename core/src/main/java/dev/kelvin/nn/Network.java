package dev.kelvin.nn;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.kelvin.tensor.Gradients;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;

/**
 * A pure function of (parameters, input), [n, ...] → [n, outputs]. Its description is data; its parameters live
 * elsewhere.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(value = Mlp.class, name = "mlp"),
    @JsonSubTypes.Type(value = ResidualMlp.class, name = "residual-mlp")
})
public interface Network {
    Layout layout();

    Tensor apply(Parameters parameters, Tensor input);

    /** The output with the way back to the parameters; by automatic differentiation, unless a network knows better. */
    default Pullback pullback(Parameters parameters, Tensor input) {
        Parameters live = parameters.live();
        Tensor output = apply(live, input);
        return new Pullback(output, weights -> live.gradient(output, weights));
    }

    /** The output with the gradient of its sum with respect to the input; likewise. */
    default OutputAndGradient outputAndInputGradient(Parameters parameters, Tensor input) {
        try (Scope scope = Scope.open()) {
            Tensor leaf = input.asLeaf();
            Tensor output = apply(parameters, leaf);
            Tensor gradient = Gradients.of(output, leaf);
            return new OutputAndGradient(scope.keep(output.detach()), scope.keep(gradient));
        }
    }

    /** The gradient alone, for samplers that need no more. */
    default Tensor inputGradient(Parameters parameters, Tensor input) {
        try (Scope scope = Scope.open()) {
            return scope.keep(outputAndInputGradient(parameters, input).gradient());
        }
    }
}

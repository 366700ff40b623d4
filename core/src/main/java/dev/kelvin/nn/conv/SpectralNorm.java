package dev.kelvin.nn.conv;

import dev.kelvin.nn.Initialisation;
import dev.kelvin.nn.Layout;
import dev.kelvin.nn.Parameters;
import dev.kelvin.tensor.NoGrad;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.util.Map;

/**
 * Weights divided by their largest singular value σ₁, as a matrix [outputs, the rest] (Miyato et al. 2018).
 *
 * <p>σ₁ is followed, not solved for: a vector u of one number for each output, kept with the parameters and not trained,
 * gives σ(W) = ‖Wᵀu‖/‖u‖, which is at most σ₁ and equal to it where u is the first left singular vector. A step of the
 * power iteration, u ← WWᵀu/‖WWᵀu‖, is {@link #advance}, once after each step of the optimiser. Between steps u is a
 * constant, so that the network stays a pure function with an exact gradient. u's length does not matter. It starts at
 * random, where σ is somewhat below σ₁; some ten steps mend that.
 *
 * @param weights the parameter's name
 * @param bound divides by max(σ, 1): for weights that start near zero and should, which a plain division would undo
 */
public record SpectralNorm(String weights, boolean bound) {
    void addTo(Layout.Builder builder, int outputs) {
        builder.addState(vector(), new Initialisation.Normal(1), (long) outputs);
    }

    /** The weights over their norm; those that {@link #freeze} made, if it did. */
    public Tensor of(Parameters parameters) {
        if (parameters.has(ready())) {
            return parameters.get(ready());
        }
        try (Scope scope = Scope.open()) {
            Tensor u = parameters.get(vector());
            Tensor norm = u.matmul(matrix(parameters)).norm().over(u.norm()); // ‖Wᵀu‖/‖u‖
            Tensor divisor = bound ? norm.clamp(1, Double.POSITIVE_INFINITY) : norm;
            return scope.keep(parameters.get(weights).over(divisor));
        }
    }

    void freeze(Parameters parameters, Map<String, Tensor> made) {
        made.put(ready(), of(parameters));
    }

    private String ready() {
        return weights + ".normed";
    }

    /** One step of the power iteration, in place. */
    void advance(Parameters parameters) {
        try (Scope scope = Scope.open();
                NoGrad noGrad = NoGrad.open()) {
            Tensor w = matrix(parameters);
            Tensor u = parameters.get(vector());
            Tensor v = unit(u.matmul(w));
            u.copyInPlace(unit(w.matmul(v)));
        }
    }

    private Tensor matrix(Parameters parameters) {
        Tensor all = parameters.get(weights);
        return all.reshape(all.size(0), -1);
    }

    private static Tensor unit(Tensor vector) {
        return vector.over(vector.norm());
    }

    private String vector() {
        return weights + ".singular";
    }
}

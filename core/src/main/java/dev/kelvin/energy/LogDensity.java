package dev.kelvin.energy;

import dev.kelvin.part.Check;
import dev.kelvin.tensor.Gradients;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;

/** An unnormalised log-density f: higher is likelier; the energy is −f. */
@FunctionalInterface
public interface LogDensity {
    /** f at each sample: [n, ...] → [n]. */
    Tensor at(Tensor x);

    /** f and ∇f at each sample; by automatic differentiation, unless a density knows a faster way. */
    default ValueAndGradient valueAndGradient(Tensor x) {
        try (Scope scope = Scope.open()) {
            Tensor leaf = x.asLeaf();
            Tensor value = at(leaf);
            if (value.dim() != 1 || value.size(0) != x.size(0)) {
                throw new IllegalArgumentException("the log-density returned " + value + " for input " + x
                        + "; expected one value for each row, [" + x.size(0) + "]");
            }
            Tensor gradient = Gradients.of(value, leaf);
            return new ValueAndGradient(scope.keep(value.detach()), scope.keep(gradient));
        }
    }

    /** ∇f alone, for kernels that need no more. */
    default Tensor gradient(Tensor x) {
        return Scope.kept(() -> valueAndGradient(x).gradient());
    }

    /** ∇f as a node of the graph of x and of the parameters that f is made of, always by automatic differentiation. */
    default Tensor gradientInGraph(Tensor x) {
        try (Scope scope = Scope.open()) {
            Tensor at = x.requiresGrad() ? x : x.asLeaf();
            return scope.keep(Gradients.withGraph(at(at), at));
        }
    }

    /**
     * Each component of a gradient limited to ±limit. A density made of another by a change of coordinates limits the other's,
     * so that the limit is one in x.
     */
    default Tensor clip(Tensor gradient, double limit) {
        return gradient.clamp(-limit, limit);
    }

    /** Each coordinate of samples limited to [low, high]; like {@link #clip} in the coordinates of x. */
    default Tensor clamp(Tensor x, double low, double high) {
        return x.clamp(low, high);
    }

    /** f / temperature, its value in double: flatter above 1, sharper below. */
    default LogDensity tempered(double temperature) {
        return scaled(1 / Check.positive("temperature", temperature));
    }

    /** factor · f, its value in double. */
    default LogDensity scaled(double factor) {
        Check.finite("factor", factor);
        return factor == 1 ? this : new Linear(this, factor, null);
    }

    /**
     * f(scale ⊙ u) as a density of u, scale [n, 1, ...] or [1, ...]: a step h in u is a step h·scale² in x = scale ⊙ u, so a
     * kernel of one step size has others by row or coordinate.
     */
    default LogDensity rescaled(Tensor scale) {
        return new Rescaled(this, scale);
    }

    /** f / temperature with one for each sample, [n]; a limit on the gradient stays one on ∇f. */
    default LogDensity tempered(Tensor temperatures) {
        return new Tempered(this, temperatures);
    }

    /** f + other: the density of the product. */
    default LogDensity plus(LogDensity other) {
        return new Linear(this, 1, other);
    }

    /** Restricts per-row state, such as a class, to these rows of the batch; most densities have none. */
    default LogDensity rows(long... rows) {
        return this;
    }
}

package dev.kelvin.sample;

import dev.kelvin.energy.LogDensity;
import dev.kelvin.energy.ValueAndGradient;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.NoGrad;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Positions with f and ∇f there: [chains, ...], [chains], [chains, ...]. */
public record Evaluated(Tensor x, Tensor value, Tensor gradient) implements ChainState {
    static Evaluated at(LogDensity target, Tensor x) {
        ValueAndGradient at = target.valueAndGradient(x);
        return new Evaluated(x, at.value(), at.gradient());
    }

    @Override
    public List<Tensor> tensors() {
        return List.of(x, value, gradient);
    }

    /**
     * The Metropolis choice: each chain goes to its proposal with probability min(1, exp(logAcceptance)). A proposal
     * where the density is not a number is refused; a chain that already stands at one reports NaN.
     */
    Transition<Evaluated> orProposal(
            Scope scope, Key key, Evaluated to, Tensor logAcceptance, Map<String, Tensor> more) {
        try (NoGrad noGrad = NoGrad.open()) {
            // -infinity, or NaN where this chain is lost; a chain where f is -infinity is let go
            Tensor least = value.clamp(0, 0).addNumberInPlace(Double.NEGATIVE_INFINITY);
            Tensor log = logAcceptance.maximumOrNumber(least);
            Tensor uniform = Tensors.uniform(key, 0, 1, log.dtype(), log.device(), log.shape());
            Tensor accepted = uniform.log().lessThan(log);
            Tensor rows = accepted.reshape(rowShape(x));
            Evaluated next = new Evaluated(
                    scope.keep(to.x.where(rows, x)),
                    scope.keep(to.value.where(accepted, value)),
                    scope.keep(to.gradient.where(rows, gradient)));
            Tensor probability = log.atMostInPlace(0).exp();
            more.values().forEach(scope::keep);
            return new Transition<>(next, new StepInfo(Optional.of(scope.keep(probability)), more));
        }
    }

    /** [chains, 1, 1, ...], to go with the positions' shape. */
    static long[] rowShape(Tensor x) {
        long[] shape = new long[(int) x.dim()];
        Arrays.fill(shape, 1);
        shape[0] = x.size(0);
        return shape;
    }
}

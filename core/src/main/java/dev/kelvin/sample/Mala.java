package dev.kelvin.sample;

import dev.kelvin.Check;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.energy.ValueAndGradient;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.List;
import java.util.Optional;

/**
 * Metropolis-adjusted Langevin: proposes as {@link Langevin} does and accepts so that exp(f/T) is exactly invariant.
 *
 * <p>y = x + h∇f(x) + √(2hT)ξ, accepted with probability min(1, exp(f(y)/T − f(x)/T)·q(x|y)/q(y|x)), q(·|x) = N(x +
 * h∇f(x), 2hT).
 *
 * <p>Source: paper 001, section on MALA. Differs from the paper: it prints the ratio with E itself and ∇log E; the
 * ratio here is Roberts and Tweedie's (1996).
 */
public record Mala(double stepSize, double temperature) implements Kernel<Mala.State> {
    /** Positions with f and ∇f there: [chains, ...], [chains], [chains, ...]. */
    public record State(Tensor x, Tensor value, Tensor gradient) implements ChainState {
        @Override
        public List<Tensor> tensors() {
            return List.of(x, value, gradient);
        }
    }

    public Mala {
        Check.positive("stepSize", stepSize);
        Check.positive("temperature", temperature);
    }

    @Override
    public State start(LogDensity target, Tensor x) {
        ValueAndGradient at = target.valueAndGradient(x);
        return new State(x, at.value(), at.gradient());
    }

    @Override
    public Transition<State> step(Key key, LogDensity target, State from) {
        try (Scope scope = Scope.open()) {
            Key[] keys = key.split(2);
            Tensor noise = Tensors.normalLike(keys[0], Math.sqrt(2 * stepSize * temperature), from.x());
            State to = start(target, noise.addInPlace(from.x()).addInPlace(from.gradient(), stepSize));
            Tensor logAcceptance = logAcceptance(from, to);
            Tensor uniform = Tensors.uniform(
                    keys[1], 0, 1, logAcceptance.dtype(), logAcceptance.device(), logAcceptance.shape());
            Tensor accepted = uniform.log().lessThan(logAcceptance);
            State next = new State(
                    scope.keep(select(accepted, to.x(), from.x())),
                    scope.keep(select(accepted, to.value(), from.value())),
                    scope.keep(select(accepted, to.gradient(), from.gradient())));
            Tensor probability = scope.keep(
                    logAcceptance.exp().minimum(Tensors.full(1, logAcceptance.dtype(), logAcceptance.device(), 1)));
            return new Transition<>(next, new StepInfo(Optional.of(probability)));
        }
    }

    /** log of f(y)/f(x) at temperature T times q(x|y)/q(y|x), [chains]; the probability is its exponential, at most 1. */
    Tensor logAcceptance(State x, State y) {
        Tensor backward = logProposal(x.x(), y);
        Tensor forward = logProposal(y.x(), x);
        return y.value().minus(x.value()).over(temperature).plus(backward).minus(forward);
    }

    /** log q(to|from) up to a constant: −‖to − from − h∇f(from)‖² / (4hT). */
    private Tensor logProposal(Tensor to, State from) {
        Tensor residual = to.minus(from.x()).addInPlace(from.gradient(), -stepSize);
        return residual.square().sumPerSample().over(-4 * stepSize * temperature);
    }

    /** Row by row: {@code yes} where accepted. A rejected NaN leaves no trace. */
    private static Tensor select(Tensor accepted, Tensor yes, Tensor no) {
        long[] shape = new long[(int) yes.dim()];
        java.util.Arrays.fill(shape, 1);
        shape[0] = yes.size(0);
        return yes.where(accepted.reshape(shape), no);
    }
}

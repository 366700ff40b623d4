package dev.kelvin.sample;

import dev.kelvin.Check;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.energy.ValueAndGradient;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.Arrays;
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
            State to = start(target, noise.plus(from.x()).addInPlace(from.gradient(), stepSize));
            Tensor logAcceptance = logAcceptance(from, to, noise);
            Tensor uniform = Tensors.uniform(
                    keys[1], 0, 1, logAcceptance.dtype(), logAcceptance.device(), logAcceptance.shape());
            Tensor accepted = uniform.log().lessThan(logAcceptance);
            Tensor rows = accepted.reshape(rowShape(from.x()));
            State next = new State(
                    scope.keep(to.x().where(rows, from.x())),
                    scope.keep(to.value().where(accepted, from.value())),
                    scope.keep(to.gradient().where(rows, from.gradient())));
            Tensor probability =
                    logAcceptance.clampInPlace(Double.NEGATIVE_INFINITY, 0).exp();
            return new Transition<>(next, new StepInfo(Optional.of(scope.keep(probability))));
        }
    }

    /**
     * log of exp(f(y)/T − f(x)/T)·q(x|y)/q(y|x), [chains], where noise = y − x − h∇f(x); the probability is its
     * exponential, at most 1.
     */
    Tensor logAcceptance(State x, State y, Tensor noise) {
        // log q(to|from) = -|to - from - h grad f(from)|^2 / 4hT, up to a constant
        Tensor backward = x.x().minus(y.x()).addInPlace(y.gradient(), -stepSize);
        double scale = 1 / (4 * stepSize * temperature);
        return y.value()
                .minus(x.value())
                .timesInPlace(1 / temperature)
                .addInPlace(backward.square().sumPerSample(), -scale)
                .addInPlace(noise.square().sumPerSample(), scale);
    }

    /** [chains, 1, 1, ...], to go with the positions' shape. */
    private static long[] rowShape(Tensor x) {
        long[] shape = new long[(int) x.dim()];
        Arrays.fill(shape, 1);
        shape[0] = x.size(0);
        return shape;
    }
}

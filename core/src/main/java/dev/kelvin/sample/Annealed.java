package dev.kelvin.sample;

import dev.kelvin.energy.LogDensity;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Tensor;
import java.util.List;

/**
 * A kernel whose step size falls as the chain runs, at a temperature that stays: step k is taken with h·decay(k).
 *
 * <p>Around {@link Langevin} with a polynomial decay it is SGLD with annealed steps: h_k = h(1 + k/b)^(−γ).
 *
 * <p>Source: Welling and Teh (2011), equation 2 with a_k = a(b + k)^(−γ), so h = a·b^(−γ)/2; paper 001, "step annealing".
 */
public record Annealed<S extends ChainState>(StepSized<S> kernel, Decay decay) implements Kernel<Annealed.State<S>> {
    /** The kernel's state, and the steps taken. */
    public record State<S extends ChainState>(S inner, long steps) implements ChainState {
        @Override
        public Tensor x() {
            return inner.x();
        }

        @Override
        public List<Tensor> tensors() {
            return inner.tensors();
        }
    }

    @Override
    public State<S> start(LogDensity target, Tensor x) {
        return new State<>(kernel.start(target, x), 0);
    }

    @Override
    public Transition<State<S>> step(Key key, LogDensity target, State<S> state) {
        StepSized<S> now = kernel.withStepSize(kernel.stepSize() * decay.factor(state.steps()));
        Transition<S> step = now.step(key, target, state.inner());
        return new Transition<>(new State<>(step.state(), state.steps() + 1), step.info());
    }

    @Override
    public boolean movesChainsAlone() {
        return kernel.movesChainsAlone();
    }
}

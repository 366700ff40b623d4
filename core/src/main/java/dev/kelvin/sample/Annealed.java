package dev.kelvin.sample;

import dev.kelvin.energy.LogDensity;
import dev.kelvin.part.Check;
import dev.kelvin.part.Cites;
import dev.kelvin.part.Doc;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Tensor;
import java.util.List;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * Another kernel whose step size falls along the chain, at the same temperature: choose it where chains must go far at first
 * and be accurate in the end.
 *
 * <p>Step k is the inner kernel's with h·decay(k); a noise of its own falls as its root. {@link Langevin} has the same as a
 * setting.
 *
 * <p>Source: Zhang (2021), section 3.4, annealing.
 */
@Doc("another kernel, whose step size falls along the chain")
@Cites("zhang2021")
public record Annealed(
        @Doc("the kernel; its step size is the first") Kernel<?> inner,

        @Doc("the decay of the step size along a chain") Decay decay)
        implements Kernel<Annealed.State> {
    /** The inner kernel's state, and the steps taken. */
    public record State(ChainState at, long steps) implements ChainState {
        @Override
        public Tensor x() {
            return at.x();
        }

        @Override
        public List<Tensor> tensors() {
            return at.tensors();
        }
    }

    public Annealed {
        Check.all(() -> checkInner(inner));
    }

    /** A recipe that names no kernel that can be read shows its other mistakes first, with none here. */
    private static void checkInner(@Nullable Kernel<?> inner) {
        Check.require(
                inner == null || inner instanceof StepSized<?>,
                "inner",
                "must have a step size that can fall, as mala, psgld and hmc have; this one has none: "
                        + (inner == null ? "" : inner.words()));
    }

    @Override
    public KernelTraits traits() {
        KernelTraits of = inner.traits();
        OptionalDouble none = OptionalDouble.empty(); // its steps follow the decay, no acceptance
        return new KernelTraits(
                of.temperature(), of.temperatureVaries(), of.adjusted(), of.coupling(), of.recordable(), false, none);
    }

    @Override
    public OptionalDouble temperatureAt(State state) {
        return temperatureAt(inner, state.at());
    }

    @SuppressWarnings("unchecked") // a state that the inner kernel has made
    private static <S extends ChainState> OptionalDouble temperatureAt(Kernel<S> kernel, ChainState at) {
        return kernel.temperatureAt((S) at);
    }

    @Override
    public String words() {
        return inner.words() + ", whose steps shrink along the chain";
    }

    @Override
    public void requireFit(long dimensions) {
        inner.requireFit(dimensions);
    }

    @Override
    public State start(LogDensity target, Tensor x) {
        return new State(inner.start(target, x), 0);
    }

    @Override
    public State resume(LogDensity target, Tensor x, long taken) {
        return new State(inner.resume(target, x, taken), taken);
    }

    @Override
    public Transition<State> step(Key key, LogDensity target, State state) {
        return step((StepSized<?>) inner, key, target, state);
    }

    @SuppressWarnings("unchecked") // a state that the inner kernel has made
    private <S extends ChainState> Transition<State> step(
            StepSized<S> kernel, Key key, LogDensity target, State state) {
        StepSized<S> now = kernel.withStepSize(kernel.stepSize() * decay.factor(state.steps()));
        Transition<S> next = now.step(key, target, (S) state.at());
        return new Transition<>(new State(next.state(), state.steps() + 1), next.info());
    }
}

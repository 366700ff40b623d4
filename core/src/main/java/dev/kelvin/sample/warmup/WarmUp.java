package dev.kelvin.sample.warmup;

import dev.kelvin.energy.LogDensity;
import dev.kelvin.part.Check;
import dev.kelvin.part.InvalidInputException;
import dev.kelvin.sample.ChainState;
import dev.kelvin.sample.StepSized;
import dev.kelvin.sample.Transition;
import dev.kelvin.sample.chain.ChainRun;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;

/** A kernel with the step size that its warm-up found, frozen, and where the warm-up left the chains. */
public record WarmUp<S extends ChainState>(StepSized<S> kernel, Tensor x) {
    private static final int MOST_DOUBLINGS = 60;

    /** Runs {@code steps} steps, adapting the step size to the acceptance by {@link DualAveraging}. */
    public static <S extends ChainState> WarmUp<S> run(
            Key key, StepSized<S> kernel, LogDensity target, Tensor x, int steps, double acceptance) {
        Check.atLeast("steps", steps, 1);
        DualAveraging adaptation = new DualAveraging(acceptance, find(key.child(-1), kernel, target, x, acceptance));
        try (Scope walk = Scope.open()) {
            S state = kernel.start(target, x);
            for (int step = 0; step < steps; step++) {
                S before = state;
                try (Scope scope = Scope.open()) {
                    StepSized<S> now = kernel.withStepSize(adaptation.stepSize(0));
                    Transition<S> next = now.step(key.child(step), target, before);
                    adaptation.update(
                            0, next.info().acceptance().orElseThrow().mean().item());
                    state = next.state();
                    state.tensors().forEach(scope::keep);
                }
                before.free(state, x);
            }
            return new WarmUp<>(kernel.withStepSize(adaptation.settled(0)), walk.keep(state.x()));
        }
    }

    /**
     * A step size of the right order: the kernel's own, doubled or halved until one step's mean acceptance crosses the
     * target.
     *
     * @throws IllegalArgumentException if the kernel has no accept/reject step
     */
    public static <S extends ChainState> double find(
            Key key, StepSized<S> kernel, LogDensity target, Tensor x, double acceptance) {
        DualAveraging.checked(acceptance);
        double stepSize = kernel.stepSize();
        boolean small = accepted(key.child(0), kernel, target, x) > acceptance;
        double factor = small ? 2 : 0.5;
        for (int i = 1; i <= MOST_DOUBLINGS; i++) {
            double next = stepSize * factor;
            double found = accepted(key.child(i), kernel.withStepSize(next), target, x);
            if (small && !(found > acceptance)) {
                return stepSize;
            }
            stepSize = next;
            if (!small && found > acceptance) {
                return stepSize;
            }
        }
        throw new InvalidInputException("no step size from " + kernel.stepSize() + " to " + stepSize
                + " gives an acceptance of " + acceptance + "; is the target flat, or not a number?");
    }

    private static <S extends ChainState> double accepted(Key key, StepSized<S> kernel, LogDensity target, Tensor x) {
        try (Scope scope = Scope.open()) {
            return ChainRun.run(key, kernel, target, x, 1)
                    .acceptance()
                    .orElseThrow(
                            () -> new InvalidInputException(
                                    kernel.getClass().getSimpleName()
                                            + " has no accept/reject step, so its step size can't be adapted to an acceptance"));
        }
    }
}

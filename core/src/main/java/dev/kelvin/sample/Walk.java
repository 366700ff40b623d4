package dev.kelvin.sample;

import dev.kelvin.Check;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.util.Optional;
import java.util.OptionalDouble;

/** Where chains stand after a number of steps, and how often their proposals were accepted on average. */
public record Walk(Tensor x, OptionalDouble acceptance) {

    /** Is told each step's state while it is there; its tensors are freed with the next step. */
    @FunctionalInterface
    public interface Observer {
        void at(int step, ChainState state);
    }

    /** Runs the chains; step i takes the i-th child of the key. Memory does not grow with the number of steps. */
    public static <S extends ChainState> Walk run(Key key, Kernel<S> kernel, LogDensity target, Tensor x, int steps) {
        return run(key, kernel, target, x, steps, (step, state) -> {});
    }

    /** The same, observed: {@code observer} sees every state after the start. */
    public static <S extends ChainState> Walk run(
            Key key, Kernel<S> kernel, LogDensity target, Tensor x, int steps, Observer observer) {
        Check.atLeast("steps", steps, 0);
        try (Scope walk = Scope.open()) {
            S state = kernel.start(target, x);
            Optional<Tensor> accepted = Optional.empty(); // summed over the steps, [chains]
            for (int step = 0; step < steps; step++) {
                S previous = state;
                try (Scope scope = Scope.open()) {
                    Transition<S> transition = kernel.step(key.child(step), target, previous);
                    state = transition.state();
                    state.tensors().forEach(scope::keep);
                    accepted = sum(scope, accepted, transition.info().acceptance());
                    observer.at(step + 1, state);
                }
                free(previous, state, x);
            }
            Tensor end = state.x() == x ? x : walk.keep(state.x());
            OptionalDouble acceptance = accepted.isPresent()
                    ? OptionalDouble.of(accepted.get().mean().item() / steps)
                    : OptionalDouble.empty();
            return new Walk(end, acceptance);
        }
    }

    private static Optional<Tensor> sum(Scope scope, Optional<Tensor> total, Optional<Tensor> step) {
        if (total.isPresent() && step.isPresent()) {
            total.get().addInPlace(step.get());
            return total;
        }
        return step.map(scope::keep);
    }

    private static void free(ChainState previous, ChainState next, Tensor start) {
        for (Tensor tensor : previous.tensors()) {
            if (tensor != start && !next.tensors().contains(tensor)) {
                tensor.close();
            }
        }
    }
}

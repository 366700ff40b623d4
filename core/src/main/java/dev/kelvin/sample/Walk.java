package dev.kelvin.sample;

import dev.kelvin.Check;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * Where chains stand after a number of steps, how often their proposals were accepted on average, and the means over
 * the steps of what else the kernel tells.
 */
public record Walk(Tensor x, OptionalDouble acceptance, Map<String, double[]> more) {
    private static final String ACCEPTANCE = "acceptance";

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
            Map<String, Tensor> sums = new HashMap<>();
            for (int step = 0; step < steps; step++) {
                S previous = state;
                try (Scope scope = Scope.open()) {
                    Transition<S> transition = kernel.step(key.child(step), target, previous);
                    state = transition.state();
                    state.tensors().forEach(scope::keep);
                    StepInfo info = transition.info();
                    info.acceptance().ifPresent(found -> add(scope, sums, ACCEPTANCE, found));
                    info.more().forEach((name, found) -> add(scope, sums, name, found));
                    observer.at(step + 1, state);
                }
                free(previous, state, x);
            }
            Tensor end = state.x() == x ? x : walk.keep(state.x());
            return new Walk(end, acceptance(sums, steps), means(sums, steps));
        }
    }

    private static void add(Scope scope, Map<String, Tensor> sums, String name, Tensor found) {
        Tensor sum = sums.get(name);
        if (sum == null) {
            sums.put(name, scope.keep(found));
        } else {
            sum.addInPlace(found);
        }
    }

    private static OptionalDouble acceptance(Map<String, Tensor> sums, int steps) {
        Tensor sum = sums.remove(ACCEPTANCE);
        return sum == null
                ? OptionalDouble.empty()
                : OptionalDouble.of(sum.mean().item() / steps);
    }

    private static Map<String, double[]> means(Map<String, Tensor> sums, int steps) {
        Map<String, double[]> means = new HashMap<>();
        sums.forEach((name, sum) -> means.put(name, sum.over(steps).toDoubles()));
        return Map.copyOf(means);
    }

    private static void free(ChainState previous, ChainState next, Tensor start) {
        for (Tensor tensor : previous.tensors()) {
            if (tensor != start && !next.tensors().contains(tensor)) {
                tensor.close();
            }
        }
    }
}

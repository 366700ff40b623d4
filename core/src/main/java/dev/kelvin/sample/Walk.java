package dev.kelvin.sample;

import dev.kelvin.Check;
import dev.kelvin.Parallel;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Where chains stand after a number of steps, how often each one's proposals were accepted (empty: they were not judged),
 * and the means over the steps of what else the kernel tells.
 */
public record Walk(Tensor x, double[] accepted, Map<String, double[]> more) {
    private static final String ACCEPTANCE = "acceptance";

    /** Chains with fewer numbers than this in all are not worth a second thread: 256 in the plane, a handful of images. */
    private static final int LEAST_IN_HALVES = 512;

    /** How often the proposals were accepted on average, if they were judged. */
    public OptionalDouble acceptance() {
        return Arrays.stream(accepted).average();
    }

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
        try (Scope scope = Scope.open()) {
            Ends ends = ends(key, kernel, target, x, steps, observer);
            Tensor end = ends.x() == x ? x : scope.keep(ends.x());
            return new Walk(end, accepted(ends.sums(), steps), means(ends.sums(), steps));
        }
    }

    /** Where chains stand, and the sums over the steps of what the kernel told, where the chains live. */
    record Ends(Tensor x, Map<String, Tensor> sums) {
        /** How often each chain's proposals were accepted in so many steps. */
        Tensor acceptance(int steps) {
            Tensor sum = sums.get(ACCEPTANCE);
            if (sum == null) {
                throw new IllegalStateException("the proposals were not judged");
            }
            return sum.over(steps);
        }
    }

    /** The chains' ends, without a look at them from the host other than the kernel's own. */
    static <S extends ChainState> Ends ends(
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
            sums.values().forEach(walk::keep);
            return new Ends(state.x() == x ? x : walk.keep(state.x()), sums);
        }
    }

    /**
     * The same in two {@link Parallel} with keys of their own, at once, where the kernel moves each chain as if it were
     * alone and there is enough to do; on a GPU, which works on all at once anyway, as one.
     */
    public static Walk inHalves(Key key, Kernel<?> kernel, LogDensity target, Tensor x, int steps) {
        long rows = x.size(0);
        if (x.count() < LEAST_IN_HALVES || rows < 2 || steps == 0 || x.device().cuda() || !kernel.movesChainsAlone()) {
            return run(key, kernel, target, x, steps);
        }
        List<Walk> both = Parallel.halves(half -> {
            try (Scope scope = Scope.open()) {
                long from = half == 0 ? 0 : rows / 2;
                long to = half == 0 ? rows / 2 : rows;
                LogDensity part = target.rows(LongStream.range(from, to).toArray());
                Walk walk = run(key.child(half), kernel, part, x.narrow(0, from, to - from), steps);
                return new Walk(Scope.detach(walk.x()), walk.accepted(), walk.more());
            }
        });
        Walk first = both.get(0);
        Walk second = both.get(1);
        try (Tensor a = first.x;
                Tensor b = second.x) {
            double[] accepted = Arrays.copyOf(first.accepted, first.accepted.length + second.accepted.length);
            System.arraycopy(second.accepted, 0, accepted, first.accepted.length, second.accepted.length);
            double share = (double) a.size(0) / rows;
            Map<String, double[]> more = new HashMap<>();
            first.more.forEach((name, means) -> more.put(name, mixed(share, means, second.more.get(name))));
            return new Walk(Tensors.concat(0, a, b), accepted, Map.copyOf(more));
        }
    }

    private static double[] mixed(double share, double[] a, double @Nullable [] b) {
        double[] mean = a.clone();
        if (b != null) {
            Arrays.setAll(mean, i -> share * a[i] + (1 - share) * b[i]);
        }
        return mean;
    }

    private static void add(Scope scope, Map<String, Tensor> sums, String name, Tensor found) {
        Tensor sum = sums.get(name);
        if (sum == null) {
            sums.put(name, scope.keep(found));
        } else {
            sum.addInPlace(found);
        }
    }

    private static double[] accepted(Map<String, Tensor> sums, int steps) {
        Tensor sum = sums.remove(ACCEPTANCE);
        return sum == null ? new double[0] : sum.over(steps).toDoubles();
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

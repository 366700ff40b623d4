package dev.kelvin.sample.chain;

import dev.kelvin.energy.LogDensity;
import dev.kelvin.part.Check;
import dev.kelvin.sample.ChainState;
import dev.kelvin.sample.Kernel;
import dev.kelvin.sample.StepInfo;
import dev.kelvin.sample.Transition;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Parallel;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;

/**
 * Where chains stand after a number of steps, how often each one's proposals were accepted (empty: they were not judged),
 * and the means over the steps of what else the kernel reports.
 */
public record ChainRun(Tensor x, double[] accepted, Map<String, double[]> more) {
    private static final String ACCEPTANCE = "acceptance";

    /** Chains with fewer numbers than this in all are not worth a second thread: 256 in the plane, a handful of images. */
    private static final int LEAST_IN_HALVES = 512;

    /** Returns a copy with other samples: such as some of the chains, or what is made of where they stand. */
    public ChainRun with(Tensor samples) {
        return new ChainRun(samples, accepted, more);
    }

    /** How often the proposals were accepted on average, if they were judged. */
    public OptionalDouble acceptance() {
        return Arrays.stream(accepted).average();
    }

    /** Receives each step's state; its tensors are freed with the next step. */
    @FunctionalInterface
    public interface Observer {
        /** Called after each step, counted from 1. */
        void at(int step, ChainState state);
    }

    /** Runs the chains; step i takes the i-th child of the key. Memory does not grow with the number of steps. */
    public static <S extends ChainState> ChainRun run(
            Key key, Kernel<S> kernel, LogDensity target, Tensor x, int steps) {
        return run(key, kernel, target, x, steps, (step, state) -> {});
    }

    /** Runs the chains; {@code observer} receives every state after the start. */
    public static <S extends ChainState> ChainRun run(
            Key key, Kernel<S> kernel, LogDensity target, Tensor x, int steps, Observer observer) {
        return run(key, kernel, target, x, 0, steps, observer);
    }

    /** Runs chains that have taken {@code from} steps before. */
    public static <S extends ChainState> ChainRun run(
            Key key, Kernel<S> kernel, LogDensity target, Tensor x, int from, int steps, Observer observer) {
        try (Scope scope = Scope.open()) {
            Ends ends = ends(key, kernel, target, x, from, steps, observer);
            Map<String, double[]> means = new HashMap<>();
            ends.sums().forEach((name, sum) -> means.put(name, sum.over(steps).toDoubles()));
            double[] accepted = Objects.requireNonNullElse(means.remove(ACCEPTANCE), new double[0]);
            return new ChainRun(scope.keep(ends.x()), accepted, Map.copyOf(means));
        }
    }

    /**
     * The steps that chains take, after {@code from} earlier ones; each row is stretched by a factor, [n, 1, ...], so
     * that it has a step size of its own.
     */
    public record Course(int from, int steps, Optional<Tensor> stretch) {
        /** A course of {@code steps} steps from the start. */
        public static Course of(int steps) {
            return after(0, steps);
        }

        /** A course of {@code steps} steps, after {@code from} earlier ones. */
        public static Course after(int from, int steps) {
            return new Course(from, steps, Optional.empty());
        }

        /** Returns a copy in coordinates that are stretched for each row. */
        public Course stretched(Tensor by) {
            return new Course(from, steps, Optional.of(by));
        }
    }

    /** Where chains stand, and the sums over the steps of what the kernel reported, on the chains' device. */
    record Ends(Tensor x, Map<String, Tensor> sums) {
        /** How often each chain's proposals were accepted in {@code steps} steps. */
        Tensor acceptance(int steps) {
            return Objects.requireNonNull(sums.get(ACCEPTANCE)).over(steps);
        }
    }

    /** The chains' ends, without a look at them from the host other than the kernel's own. */
    static <S extends ChainState> Ends ends(
            Key key, Kernel<S> kernel, LogDensity target, Tensor x, int from, int steps, Observer observer) {
        Check.atLeast("steps", steps, 0);
        try (Scope walk = Scope.open()) {
            S state = kernel.resume(target, x, from);
            Map<String, Tensor> sums = new HashMap<>();
            for (int step = from; step < from + steps; step++) {
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
                previous.free(state, x);
            }
            sums.values().forEach(walk::keep);
            return new Ends(walk.keep(state.x()), sums);
        }
    }

    /**
     * Runs the chains in two {@link Parallel} halves with keys of their own, where the kernel moves each chain as if it were
     * alone and there is enough to do; on a GPU, which works on all at once anyway, as one.
     */
    public static ChainRun inHalves(Key key, Kernel<?> kernel, LogDensity target, Tensor x, int steps) {
        return inHalves(key, kernel, target, x, 0, steps);
    }

    /**
     * Runs chains in halves that have taken {@code from} steps before: with the same key it goes on as one run would have done,
     * to the bit.
     */
    public static ChainRun inHalves(Key key, Kernel<?> kernel, LogDensity target, Tensor x, int from, int steps) {
        List<Part> parts = parts(key, kernel, x);
        if (parts.size() == 1 || steps == 0) {
            return run(key, kernel, target, x, from, steps, (step, state) -> {});
        }
        long rows = x.size(0);
        List<ChainRun> both = Parallel.halves(half -> {
            try (Scope scope = Scope.open()) {
                Part part = parts.get(half);
                ChainRun walk =
                        run(part.key, kernel, target.rows(part.rows()), part.of(x), from, steps, (step, state) -> {});
                return walk.with(Scope.detach(walk.x()));
            }
        });
        ChainRun first = both.get(0);
        ChainRun second = both.get(1);
        try (Tensor a = first.x;
                Tensor b = second.x) {
            double[] accepted = DoubleStream.concat(Arrays.stream(first.accepted), Arrays.stream(second.accepted))
                    .toArray();
            double share = (double) a.size(0) / rows;
            Map<String, double[]> more = new HashMap<>();
            first.more.forEach((name, means) ->
                    more.put(name, mixed(share, means, Objects.requireNonNull(second.more.get(name)))));
            return new ChainRun(Tensors.concat(0, a, b), accepted, Map.copyOf(more));
        }
    }

    /** Chains that are moved on one thread: from a row to before another, with a key of their own. */
    public record Part(Key key, long from, long to) {
        /** Their numbers among all. */
        public long[] rows() {
            return LongStream.range(from, to).toArray();
        }

        /** Theirs of all chains' rows. */
        public Tensor of(Tensor x) {
            return x.narrow(0, from, to - from);
        }
    }

    /** The parts that {@link #inHalves} moves: one with the key itself, or two. */
    public static List<Part> parts(Key key, Kernel<?> kernel, Tensor x) {
        long rows = x.size(0);
        return x.count() < LEAST_IN_HALVES
                        || rows < 2
                        || x.device().cuda()
                        || !kernel.traits().independent()
                ? List.of(new Part(key, 0, rows))
                : List.of(new Part(key.child(0), 0, rows / 2), new Part(key.child(1), rows / 2, rows));
    }

    private static double[] mixed(double share, double[] a, double[] b) {
        double[] mean = new double[a.length];
        Arrays.setAll(mean, i -> share * a[i] + (1 - share) * b[i]);
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
}

package dev.kelvin.sample.chain;

import dev.kelvin.energy.LogDensity;
import dev.kelvin.part.Check;
import dev.kelvin.part.SettingException;
import dev.kelvin.sample.ChainState;
import dev.kelvin.sample.Kernel;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Memory;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.TooLargeException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

/**
 * What many chains did: their trace after the burn-in, and the kernel's figures averaged over all steps, those of the
 * burn-in too, and chains.
 */
public record Chains(Trace trace, OptionalDouble acceptance, Map<String, double[]> more) {
    /**
     * How long chains run: {@code burnIn} steps that are discarded, then {@code draws} draws, {@code thin} steps apart,
     * of which at most {@code held} are held in memory.
     */
    public record Length(int burnIn, int draws, int thin, int held) {
        public Length {
            Check.atLeast("burnIn", burnIn, 0);
            Check.atLeast("draws", draws, 1);
            Check.atLeast("thin", thin, 1);
            Check.atLeast("held", held, 2);
        }

        /** All draws held. */
        public Length(int burnIn, int draws, int thin) {
            this(burnIn, draws, thin, Math.max(2, draws));
        }
    }

    /** Runs all chains in one batch; a start where the density is NaN is refused. */
    public static Chains run(Key key, Kernel<?> kernel, LogDensity target, Tensor x, Length length) {
        Check.atLeast("chains", x.size(0), 1);
        UserDensity.requireNumbers(target, x);
        Trace trace = new Trace(length.held());
        try (Scope scope = Scope.open()) {
            ChainRun walk = sampled(key, kernel, target, x, length, trace);
            return new Chains(trace, walk.acceptance(), walk.more());
        }
    }

    private static <S extends ChainState> ChainRun sampled(
            Key key, Kernel<S> kernel, LogDensity target, Tensor x, Length length, Trace trace) {
        long steps = length.burnIn() + (long) length.draws() * length.thin();
        if (steps > Integer.MAX_VALUE) {
            throw new TooLargeException(
                    "a chain takes at most " + Integer.MAX_VALUE + " steps, and " + length.burnIn() + " + "
                            + length.draws() + "·" + length.thin() + " are " + steps,
                    List.of((long) length.burnIn(), (long) length.draws(), (long) length.thin()));
        }
        Memory.array(Float.BYTES, Math.min(length.draws(), length.held()), x.size(0), x.count() / x.size(0));
        return ChainRun.run(key, kernel, target, x, (int) steps, (step, state) -> {
            int after = step - length.burnIn();
            if (after > 0 && after % length.thin() == 0) {
                trace.add(state.x());
            }
        });
    }

    /**
     * Runs the chains in groups of {@code perGroup} rows, each with a key of its own, on several threads. The result
     * depends on the groups, never on the number of threads.
     */
    public static Chains run(
            Key key, Kernel<?> kernel, LogDensity target, Tensor x, Length length, int perGroup, int threads) {
        Check.atLeast("perGroup", perGroup, 1);
        if (!kernel.traits().independent()) {
            throw new SettingException(
                    "kernel", "moves all chains together, and they can't run in groups: " + kernel.words());
        }
        Check.atLeast("threads", threads, 1);
        int count = Math.toIntExact(Check.atLeast("chains", x.size(0), 1));
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            List<Future<Chains>> groups = new ArrayList<>();
            for (int from = 0; from < count; from += perGroup) {
                int first = from;
                int rows = Math.min(perGroup, count - from);
                groups.add(pool.submit(() -> {
                    try (Scope scope = Scope.open()) {
                        LogDensity theirs = target.rows(
                                LongStream.range(first, first + rows).toArray());
                        return run(key.child(first / perGroup), kernel, theirs, x.narrow(0, first, rows), length);
                    }
                }));
            }
            List<Chains> done = new ArrayList<>();
            for (Future<Chains> group : groups) {
                done.add(group.get());
            }
            return beside(done);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while chains ran", e);
        } finally {
            end(pool);
        }
    }

    /** Waits for the groups that still run: they read x and the target, which the caller may free after a failure. */
    private static void end(ExecutorService pool) {
        pool.shutdownNow();
        boolean interrupted = false;
        boolean ended = false;
        while (!ended) {
            try {
                ended = pool.awaitTermination(1, TimeUnit.DAYS);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static Chains beside(List<Chains> groups) {
        Trace trace = Trace.beside(groups.stream().map(Chains::trace).toList());
        OptionalDouble acceptance = OptionalDouble.empty();
        Map<String, double[]> more = new HashMap<>();
        for (Chains group : groups) {
            double share = group.trace().chains() / (double) trace.chains();
            if (group.acceptance().isPresent()) {
                acceptance = OptionalDouble.of(
                        acceptance.orElse(0) + share * group.acceptance().getAsDouble());
            }
            group.more().forEach((name, means) -> {
                double[] sum = more.computeIfAbsent(name, n -> new double[means.length]);
                Arrays.setAll(sum, i -> sum[i] + share * means[i]);
            });
        }
        return new Chains(trace, acceptance, Map.copyOf(more));
    }
}

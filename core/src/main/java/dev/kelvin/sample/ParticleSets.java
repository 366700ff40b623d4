package dev.kelvin.sample;

import dev.kelvin.energy.LogDensity;
import dev.kelvin.part.Check;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * A kernel whose chains push each other, on many sets of them that do not see each other: rows 0 to size − 1 are the first
 * set, the next are the second, and so on. So particles can be drawn by the thousand as they were in training, where a
 * larger set would settle elsewhere and take the square of its size in time.
 */
public record ParticleSets<S extends ChainState>(Kernel<S> inner, int size) implements Kernel<ParticleSets.State<S>> {
    /** All particles, and the state of each set. */
    public record State<S extends ChainState>(Tensor x, List<S> sets) implements ChainState {
        @Override
        public List<Tensor> tensors() {
            return Stream.concat(Stream.of(x), sets.stream().flatMap(set -> set.tensors().stream()))
                    .toList();
        }
    }

    public ParticleSets {
        Check.atLeast("size", size, 1);
    }

    /** The kernel on sets of this size where its chains push each other, otherwise the kernel itself. */
    public static Kernel<?> of(Kernel<?> kernel, int size) {
        return kernel.traits().interacting() ? new ParticleSets<>(kernel, size) : kernel;
    }

    @Override
    public State<S> start(LogDensity target, Tensor x) {
        List<S> sets = new ArrayList<>();
        long n = x.size(0);
        for (long from = 0; from < n; from += size) {
            long rows = Math.min(size, n - from);
            sets.add(inner.start(rows(target, from, rows), x.narrow(0, from, rows)));
        }
        return new State<>(x, sets);
    }

    @Override
    public Transition<State<S>> step(Key key, LogDensity target, State<S> state) {
        try (Scope scope = Scope.open()) {
            List<S> sets = new ArrayList<>();
            List<Tensor> accepted = new ArrayList<>();
            long from = 0;
            for (S set : state.sets()) {
                long rows = set.x().size(0);
                Transition<S> moved = inner.step(key.child(sets.size()), rows(target, from, rows), set);
                sets.add(moved.state());
                moved.info().acceptance().ifPresent(accepted::add);
                from += rows;
            }
            Tensor x = Tensors.concat(0, sets.stream().map(ChainState::x).toList());
            State<S> next = new State<>(x, sets);
            next.tensors().forEach(scope::keep);
            Optional<Tensor> acceptance =
                    accepted.isEmpty() ? Optional.empty() : Optional.of(scope.keep(Tensors.concat(0, accepted)));
            return new Transition<>(next, new StepInfo(acceptance, Map.of()));
        }
    }

    private static LogDensity rows(LogDensity target, long from, long rows) {
        return target.rows(LongStream.range(from, from + rows).toArray());
    }

    @Override
    public KernelTraits traits() {
        return inner.traits().withRecordable(false);
    }

    @Override
    public String words() {
        return inner.words() + " in sets of " + size;
    }
}

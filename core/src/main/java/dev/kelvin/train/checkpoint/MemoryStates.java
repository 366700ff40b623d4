package dev.kelvin.train.checkpoint;

import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.State;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.train.Learner;
import java.util.Optional;
import java.util.OptionalDouble;

/** The last regular state of a run that is not saved to disk, so that it can go back; freed when it is closed. */
public final class MemoryStates implements SavedStates, AutoCloseable {
    private State last = State.empty(); // a copy of its own, as the best one
    private Optional<Checkpoints.Position> at = Optional.empty();
    private State best = State.empty();
    private double lowest = Double.POSITIVE_INFINITY;
    private long bestStep;

    @Override
    public Optional<Checkpoints.Position> restore(Learner learner, boolean regular) {
        at.ifPresent(position -> learner.load(last));
        return at;
    }

    @Override
    public void save(Checkpoints.Position position, Learner learner, OptionalDouble score, boolean regular) {
        if (!regular) { // a run that was never on disk is not resumed
            return;
        }
        free(last);
        last = copy(learner);
        at = Optional.of(position);
        double value = score.stream().filter(Double::isFinite).findFirst().orElse(Double.POSITIVE_INFINITY);
        if (value <= lowest) { // of several the last one
            free(best);
            best = copy(learner);
            lowest = value;
            bestStep = position.step();
        }
    }

    private static State copy(Learner learner) {
        try (Scope scope = Scope.open()) {
            State state = State.empty();
            learner.save(state);
            State copy = State.empty();
            state.tensors().forEach((name, tensor) -> copy.put(name, Scope.detach(tensor.copy())));
            state.numbers().forEach(copy::put);
            return copy;
        }
    }

    private static void free(State old) {
        old.tensors().values().forEach(Tensor::close);
    }

    /** The saved state with the lowest score, the last where none has one; it lives until this is closed. */
    public State best() {
        return best;
    }

    /** The step of {@link #best}. */
    public long step() {
        return bestStep;
    }

    @Override
    public void close() {
        free(last);
        free(best);
        last = State.empty();
        best = State.empty();
        at = Optional.empty();
    }
}

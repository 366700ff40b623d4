package dev.kelvin.train.checkpoint;

import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.State;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.train.Learner;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** The last regular state of a run that is not saved to disk, so that it can go back; freed when it is closed. */
public final class MemoryStates implements SavedStates, AutoCloseable {
    private final Map<String, Tensor> tensors = new LinkedHashMap<>();
    private final Map<String, Long> numbers = new LinkedHashMap<>();
    private Optional<Checkpoints.Position> at = Optional.empty();

    @Override
    public Optional<Checkpoints.Position> restore(Learner learner) {
        return Optional.empty();
    }

    @Override
    public Optional<Checkpoints.Position> restoreRegular(Learner learner) {
        at.ifPresent(position -> learner.load(State.of(tensors, numbers)));
        return at;
    }

    @Override
    public void save(Checkpoints.Position position, Learner learner, OptionalDouble score) {
        close();
        try (Scope scope = Scope.open()) {
            State state = State.empty();
            learner.save(state);
            state.tensors().forEach((name, tensor) -> tensors.put(name, Scope.detach(tensor.copy())));
            numbers.putAll(state.numbers());
        }
        at = Optional.of(position);
    }

    /** Nobody resumes a run that was never on disk. */
    @Override
    public void saveBetween(Checkpoints.Position position, Learner learner) {}

    /** The state as it was saved last; it lives until this is closed. */
    public State last() {
        return State.of(tensors, numbers);
    }

    @Override
    public void close() {
        tensors.values().forEach(Tensor::close);
        tensors.clear();
        numbers.clear();
        at = Optional.empty();
    }
}

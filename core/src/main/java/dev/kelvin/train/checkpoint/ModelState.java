package dev.kelvin.train.checkpoint;

import dev.kelvin.tensor.State;
import dev.kelvin.tensor.Tensor;
import java.util.Map;
import java.util.Optional;

/** What a learner saved, as it is found in a checkpoint. */
public record ModelState(Map<String, Tensor> tensors, Map<String, Long> numbers) {
    private static final String NEGATIVES = "negatives";

    /** The corner of the chains that made the negatives. */
    public State negatives() {
        return State.of(tensors, numbers).at(NEGATIVES);
    }

    /** The chains of the replay buffer, as they are held; none where there was no buffer. */
    public Optional<Tensor> slots() {
        return Optional.ofNullable(tensors.get(NEGATIVES + ".slots"));
    }
}

package dev.kelvin.negative;

import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.State;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.Arrays;

/**
 * How often the chain in each slot of a buffer has continued since it was started afresh, where that is limited: a chain that
 * has continued as often as it may is started afresh in its slot when it is drawn again. It keeps chains young, and the model's
 * short chains good, whatever the size of the buffer (Hill et al. 2022).
 *
 * <p>The count belongs to the chain: where its end takes another slot, the count goes with it.
 *
 * <p>Source: the code of Hill et al. 2022, whose {@code max_mcmc_updates = 2} restarts a chain once it has continued more than
 * two times, which is 3 here: its counter is still 0 after a fresh chain's first iteration.
 */
final class Visits implements AutoCloseable {
    private static final String NAME = "visits";

    private final int limit;
    private final long[] continued;
    private final Tensor saved;

    /** Of so many slots whose chains have not continued yet. */
    Visits(int limit, int slots) {
        this.limit = limit;
        continued = new long[slots];
        try (Scope scope = Scope.open()) {
            saved = Scope.detach(Tensors.zeros(DType.LONG, Device.CPU, slots));
        }
    }

    /** Whether the slot's chain has continued as often as it may. */
    boolean over(int slot) {
        return continued[slot] >= limit;
    }

    /**
     * How often the chain of a row has continued at its end, drawn from this slot or, where that is {@link ReplayBuffer#NONE},
     * fresh.
     */
    long atEnd(int slot) {
        return slot == ReplayBuffer.NONE || over(slot) ? 0 : continued[slot] + 1;
    }

    void put(int slot, long count) {
        continued[slot] = count;
    }

    void save(State state) {
        try (Scope scope = Scope.open()) {
            saved.copyInPlace(Tensors.of(continued));
        }
        state.put(NAME, saved);
    }

    /** What was saved; of a run that had no limit before, chains that have not continued yet. */
    void load(State state) {
        if (!state.has(NAME)) {
            Arrays.fill(continued, 0);
            return;
        }
        state.restore(NAME, saved);
        System.arraycopy(saved.toLongs(), 0, continued, 0, continued.length);
    }

    @Override
    public void close() {
        saved.close();
    }
}

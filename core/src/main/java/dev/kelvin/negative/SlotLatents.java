package dev.kelvin.negative;

import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.State;
import dev.kelvin.tensor.Tensor;

/** The latent vectors that a replay buffer's chains began at, one for each slot. */
final class SlotLatents implements AutoCloseable {
    private final Tensor z; // [slots, ...]

    /** Takes them over. */
    SlotLatents(Tensor z) {
        this.z = Scope.detach(z);
    }

    /** Those of these slots; a copy. */
    Tensor at(long... slots) {
        return z.rows(slots);
    }

    /** Those of a batch's chains, where they were written. */
    void put(ReplayBuffer.Written written, Tensor batch) {
        try (Scope scope = Scope.open()) {
            z.putRowsInPlace(written.slots(), batch.rows(written.rows()));
        }
    }

    void save(State state) {
        state.put("latents", z);
    }

    void load(State state) {
        state.restore("latents", z);
    }

    @Override
    public void close() {
        z.close();
    }
}

package dev.kelvin.distributed;

import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.Arrays;

/**
 * The threads or processes that train one model together, and this one's number among them. Each calls the same methods in the
 * same order; what they return is the same to the bit on all. Where one has ended or is silent for too long, the others get a
 * {@link LostRankException}.
 */
public interface Ranks extends AutoCloseable {
    /** One alone. */
    Ranks ALONE = new Alone();

    /** This one's number, from 0. */
    int rank();

    /** How many there are. */
    int size();

    /** Each rank's numbers, as many and of the same type from each, in the order of the ranks: [n] → [size, n]. */
    Tensor gather(Tensor own);

    /** Copies a rank's tensor into those of the others, which have its shape and type. */
    void broadcast(int from, Tensor tensor);

    /** Leaves the others. */
    @Override
    void close();

    /** Whether this is the one that scores, writes and prints. */
    default boolean first() {
        return rank() == 0;
    }

    /** Whether one says yes. */
    default boolean any(boolean own) {
        if (size() == 1) {
            return own;
        }
        try (Scope scope = Scope.open()) {
            return Arrays.stream(gather(Tensors.of(own ? 1L : 0L)).toLongs()).anyMatch(yes -> yes != 0);
        }
    }

    /** All ranks' bytes, which may be of different lengths. */
    default byte[][] gatherBytes(byte[] own) {
        try (Scope scope = Scope.open()) {
            long[] lengths = gather(Tensors.of((long) own.length)).toLongs();
            int longest = (int) Arrays.stream(lengths).max().orElse(0);
            byte[][] all = new byte[size()][];
            if (longest == 0) {
                Arrays.setAll(all, rank -> new byte[0]);
                return all;
            }
            Tensor padded = Tensors.bytes(longest);
            padded.memory(0, longest).put(Arrays.copyOf(own, longest));
            Tensor rows = gather(padded).contiguous();
            for (int rank = 0; rank < all.length; rank++) {
                all[rank] = new byte[(int) lengths[rank]];
                rows.memory((long) rank * longest, longest).get(all[rank]);
            }
            return all;
        }
    }

    /** One alone, which has nobody to wait for. */
    final class Alone implements Ranks {
        private Alone() {}

        @Override
        public int rank() {
            return 0;
        }

        @Override
        public int size() {
            return 1;
        }

        @Override
        public Tensor gather(Tensor own) {
            return own.reshape(1, -1);
        }

        @Override
        public void broadcast(int from, Tensor tensor) {}

        @Override
        public void close() {}
    }
}

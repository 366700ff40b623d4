package dev.kelvin.data.image;

import dev.kelvin.tensor.Key;

/**
 * The order in which images are shown: epoch after epoch, each in an order of its own, and batches of one size that go on
 * across the end of an epoch. What a step shows depends on nothing but the key and the step. For any thread.
 */
public final class Shuffle {
    private final Key key;
    private final int count;
    private long cachedEpoch = -1;
    private long[] cached = {};

    /** @param count how many images there are */
    Shuffle(Key key, int count) {
        this.key = key;
        this.count = count;
    }

    /** The images of a step: places step·size to step·size + size − 1 of all epochs put one after the other. */
    synchronized long[] indices(long step, int size) {
        long first = Math.multiplyExact(step, size);
        long[] indices = new long[size];
        for (int i = 0; i < size; i++) {
            long place = first + i;
            indices[i] = epoch(place / count)[(int) (place % count)];
        }
        return indices;
    }

    private long[] epoch(long epoch) {
        if (epoch != cachedEpoch) {
            cached = key.child(epoch).permutation(count);
            cachedEpoch = epoch;
        }
        return cached;
    }
}

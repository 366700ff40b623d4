package dev.kelvin.train;

import dev.kelvin.negative.Start;
import dev.kelvin.tensor.Key;

/** Gives each step its batch of data; the same step, asked again, gets the same. */
@FunctionalInterface
public interface Positives {
    /** The batch of this step, so many samples. The key is the step's own, for what is drawn by chance. */
    Batch batch(Key key, long step, int count);

    /** A stream that never ends: every batch is fresh, whatever the step. */
    static Positives fresh(Start data) {
        return (key, step, count) -> Batch.of(data.draw(key, count));
    }
}

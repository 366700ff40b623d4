package dev.kelvin.negative;

import dev.kelvin.energy.LogDensity;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.State;

/** Where negatives come from. */
public interface NegativeSource extends AutoCloseable {
    /** The density that chains of these columns walk on, one for each chain; the same for all where it is the marginal. */
    @FunctionalInterface
    interface Target {
        LogDensity of(long... k);
    }

    /** So many samples of the target at an iteration, counted from 0, beside these positives, whose columns they have in turn. */
    DrawnNegatives draw(Key key, long iteration, Target target, Batch positives, int count);

    /** Puts what it remembers between draws into the state. */
    void save(State state);

    void load(State state);

    @Override
    void close();
}

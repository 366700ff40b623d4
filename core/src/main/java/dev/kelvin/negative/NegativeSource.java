package dev.kelvin.negative;

import dev.kelvin.energy.LogDensity;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.State;

/** Where negatives come from. */
public interface NegativeSource extends AutoCloseable {
    /** Samples of the target given these classes, one for each. */
    DrawnNegatives draw(Key key, LogDensity target, long[] labels);

    /** So many samples of a target without classes. */
    default DrawnNegatives draw(Key key, LogDensity target, int count) {
        return draw(key, target, new long[count]);
    }

    /** Puts what it remembers between draws into the state. */
    void save(State state);

    void load(State state);

    @Override
    void close();
}

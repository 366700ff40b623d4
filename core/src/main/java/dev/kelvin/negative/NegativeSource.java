package dev.kelvin.negative;

import dev.kelvin.energy.LogDensity;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.State;

/** Where negatives come from. */
public interface NegativeSource extends AutoCloseable {
    Negatives draw(Key key, LogDensity target, int count);

    /** Puts what it remembers between draws into the state. */
    void save(State state);

    void load(State state);

    @Override
    void close();
}

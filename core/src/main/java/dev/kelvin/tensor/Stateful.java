package dev.kelvin.tensor;

/** What is saved with a run and restored when it is resumed. */
public interface Stateful extends AutoCloseable {
    /** Puts everything into the state that a resumed run needs. */
    void save(State state);

    /** Takes out of a saved state what {@link #save} put in. */
    void load(State state);

    @Override
    void close();
}

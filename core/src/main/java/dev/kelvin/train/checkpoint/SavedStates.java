package dev.kelvin.train.checkpoint;

import dev.kelvin.train.Learner;
import dev.kelvin.train.loop.Trainer;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalDouble;

/** Where a {@link Trainer} keeps what it may have to go back to: on disk ({@link Checkpoints}), or in memory. */
public interface SavedStates {
    /** Loads the newest state into the learner, or the newest regular one; nothing where there is none. */
    Optional<Checkpoints.Position> restore(Learner learner, boolean regular) throws IOException;

    /** Keeps a regular state, or one between two, to which a run that breaks does not go back. */
    void save(Checkpoints.Position at, Learner learner, OptionalDouble score, boolean regular) throws IOException;

    /** Removes what a run that was killed left behind. */
    default void tidy() throws IOException {}

    /** Removes what was saved between regular ones. */
    default void dropBetween() throws IOException {}
}

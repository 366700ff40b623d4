package dev.kelvin.train.checkpoint;

import dev.kelvin.train.Learner;
import dev.kelvin.train.loop.Trainer;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalDouble;

/** Where a {@link Trainer} keeps what it may have to go back to: on disk ({@link Checkpoints}), or in memory. */
public interface SavedStates {
    /** Loads the newest state into the learner; nothing where there is none. */
    Optional<Checkpoints.Position> restore(Learner learner) throws IOException;

    /** Loads the newest regular state, to which a run that breaks goes back; nothing where there is none. */
    Optional<Checkpoints.Position> restoreRegular(Learner learner) throws IOException;

    /** Keeps a regular state. */
    void save(Checkpoints.Position at, Learner learner, OptionalDouble score) throws IOException;

    /** Keeps a state between two regular ones, which a run that breaks does not go back to. */
    void saveBetween(Checkpoints.Position at, Learner learner) throws IOException;

    /** Removes what a run that was killed left behind. */
    default void tidy() throws IOException {}

    /** Removes what was saved between regular ones. */
    default void dropBetween() throws IOException {}
}

package dev.kelvin.train.checkpoint;

import java.util.OptionalLong;

/**
 * Which of a run's whole checkpoints.
 *
 * @param best whether the one with the lowest score, the newest where none has one; otherwise the newest
 * @param step the step of which it must be, where it is named
 */
public record CheckpointChoice(boolean best, OptionalLong step) {
    /** The newest one. */
    public static final CheckpointChoice NEWEST = new CheckpointChoice(false, OptionalLong.empty());

    /** The one with the lowest score. */
    public static final CheckpointChoice BEST = new CheckpointChoice(true, OptionalLong.empty());

    /** The newest one of a step. */
    public static CheckpointChoice at(long step) {
        return new CheckpointChoice(false, OptionalLong.of(step));
    }
}

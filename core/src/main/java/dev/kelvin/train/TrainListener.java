package dev.kelvin.train;

import java.io.IOException;
import java.util.OptionalDouble;

/** Listens to a training run. Steps are counted from 1 here: the number of steps done. */
public interface TrainListener {
    /** A step is done and its numbers are good. */
    default void stepped(long step, StepReport report) throws IOException {}

    /** The run was scored for a checkpoint, where it is scored at all. */
    default void scored(long step, OptionalDouble score) throws IOException {}

    /** A checkpoint is about to be written: what was reported until now must be on disk before it. */
    default void saving() throws IOException {}

    /** The run goes on from this step, as if later ones had never been: at the start, on resuming, after going back. */
    default void startedAt(long step) throws IOException {}

    /** The run broke at a step and goes back; {@code attempt} of {@code attempts}. */
    default void wentBack(long brokenStep, long toStep, String why, int attempt, int attempts) throws IOException {}

    /** The run broke at a step once more than it may go back, and ends. */
    default void gaveUp(long brokenStep, int attempts) throws IOException {}
}

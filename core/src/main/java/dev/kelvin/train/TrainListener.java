package dev.kelvin.train;

import java.io.IOException;
import java.util.OptionalDouble;

/** Is told what happens in a training run. Steps are counted from 1 here: the number of steps done. */
public interface TrainListener {
    /** A step is done and its numbers are good. */
    default void stepped(long step, StepReport report) throws IOException {}

    /** A regular checkpoint is about to be written; its score, where the run is scored. */
    default void scored(long step, OptionalDouble score) throws IOException {}

    /** The run goes on from this step, as if later ones had never been: at the start, on resuming, after going back. */
    default void startedAt(long step) throws IOException {}

    /** The run broke at a step and goes back; {@code attempt} of {@code attempts}. */
    default void wentBack(long brokenStep, long toStep, String why, int attempt, int attempts) throws IOException {}
}

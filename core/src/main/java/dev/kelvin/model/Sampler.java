package dev.kelvin.model;

import dev.kelvin.sample.chain.ChainRun;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Tensor;

/** Draws a model's samples. Of a model with classes the i-th sample is of class i mod classes, unless classes are asked for. */
public interface Sampler {
    /** How many times as many steps as in training long chains take. */
    int LONGER = 30;

    /**
     * The samples, in the current scope, with how their chains were accepted.
     *
     * @throws dev.kelvin.part.InvalidInputException if this model has no such samples
     */
    ChainRun draw(SampleRequest request);

    /** Shows how samples come about: some chains from their start on, at moments worth seeing. */
    void film(Key key, int count, Frames frames);

    /** The number of steps that chains take which are asked to take this many. */
    int length(int steps);

    /** What whoever asks for samples must know of their chains. */
    Traits traits();

    /**
     * How a model's samples are drawn.
     *
     * @param annealed whether chains are annealed to where they are wanted by steps of their own, so that no one step size and
     *     number is theirs
     * @param negativesDiffer whether negatives are samples of another density than the model's, so that both are worth measuring
     * @param factorOfGiven how many times the usual number of steps chains take that are asked for by component
     * @param largerSteps whether chains of the same temperature can be had at other step sizes: those that start afresh at one
     */
    record Traits(boolean annealed, boolean negativesDiffer, int most, int factorOfGiven, boolean largerSteps) {}

    /** Is shown where the chains are. */
    interface Frames {
        /** The chains' positions at a moment. */
        void at(String moment, Tensor x);
    }
}

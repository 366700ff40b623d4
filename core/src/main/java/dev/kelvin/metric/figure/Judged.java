package dev.kelvin.metric.figure;

import dev.kelvin.energy.LogDensity;
import dev.kelvin.tensor.Tensor;

/**
 * A trained model as any {@link FigureOfMerit} can judge it. Tensors are in the type and place that the density takes, and
 * stay those of the caller: every call gives the same ones.
 */
public interface Judged {
    /** What is judged, unnormalised: exp(f/T), with the temperature T at which the chains sample. */
    LogDensity density();

    /** Samples of the model, drawn as in training: [n, ...]. */
    Tensor samples();

    /** Data that the model was not trained on: [m, ...]. */
    Tensor heldOut();

    /** Data that it was trained on: [m, ...]. */
    Tensor training();
}

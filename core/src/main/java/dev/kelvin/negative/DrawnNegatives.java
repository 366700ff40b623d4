package dev.kelvin.negative;

import dev.kelvin.tensor.Tensor;
import java.util.OptionalDouble;

/** Samples of the model [count, ...], and how often their chains' proposals were accepted, if they were judged. */
public record DrawnNegatives(Tensor x, OptionalDouble acceptance) {}

package dev.kelvin.negative;

import dev.kelvin.tensor.Tensor;
import java.util.OptionalDouble;

/** Samples of the model [count, ...], each with its column, and how often their chains' proposals were accepted. */
public record DrawnNegatives(Tensor x, long[] k, OptionalDouble acceptance) {}

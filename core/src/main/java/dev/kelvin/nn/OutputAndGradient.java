package dev.kelvin.nn;

import dev.kelvin.tensor.Tensor;

/** A network's outputs [n, outputs] and the gradient of their sum with respect to the input [n, ...]. */
public record OutputAndGradient(Tensor output, Tensor gradient) {}

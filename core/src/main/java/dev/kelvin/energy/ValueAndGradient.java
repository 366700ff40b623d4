package dev.kelvin.energy;

import dev.kelvin.tensor.Tensor;

/** f [n] and ∇f [n, ...] at the same samples. */
public record ValueAndGradient(Tensor value, Tensor gradient) {}

/**
 * Arrays of numbers on the CPU or a GPU, their gradients, their memory and their files; the only door to libtorch.
 *
 * <p>Read {@link dev.kelvin.tensor.Tensor}, {@link dev.kelvin.tensor.Scope} and {@link dev.kelvin.tensor.Key} first.
 */
@NullMarked
package dev.kelvin.tensor;

import org.jspecify.annotations.NullMarked;

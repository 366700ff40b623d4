package dev.kelvin.recipe;

import dev.kelvin.negative.Start;
import dev.kelvin.negative.Steps;
import dev.kelvin.sample.Kernel;
import java.util.Optional;

/**
 * One source of a step's negatives.
 *
 * @param at its place in the recipe: {@code negatives}, or {@code negatives.also.0}
 * @param count how many of a step's negatives it gives
 */
public record ChainSource(String at, int count, Start start, Kernel<?> kernel, Steps steps, Optional<Buffer> buffer) {}

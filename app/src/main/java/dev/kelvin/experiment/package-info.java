/**
 * A recipe with everything that it describes: data × components × model × negatives × objective × optimiser, and how the result
 * is sampled.
 *
 * <p>Read {@link dev.kelvin.recipe.Recipe} and {@link dev.kelvin.experiment.Experiment} first. What differs by the kind of
 * components is in a {@link dev.kelvin.experiment.Components}, one class a kind.
 */
@NullMarked
package dev.kelvin.experiment;

import org.jspecify.annotations.NullMarked;

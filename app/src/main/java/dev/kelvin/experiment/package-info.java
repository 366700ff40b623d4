/**
 * A recipe made real: data × components × model × negatives × objective × optimiser, and how the result is sampled, judged and
 * shown.
 *
 * <p>Read {@link dev.kelvin.recipe.Recipe} and {@link dev.kelvin.experiment.Experiment} first. What differs by the kind of
 * data is in a {@link dev.kelvin.dataset.Data}, what differs by the kind of components in a {@link
 * dev.kelvin.experiment.Components}, one class a kind, and nowhere else.
 */
@NullMarked
package dev.kelvin.experiment;

import org.jspecify.annotations.NullMarked;


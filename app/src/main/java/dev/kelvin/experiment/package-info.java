/**
 * A recipe made real: data × columns × model × negatives × objective × optimiser, and how the result is sampled, judged and
 * shown.
 *
 * <p>Read {@link dev.kelvin.experiment.Recipe} and {@link dev.kelvin.experiment.Experiment} first. What differs by the kind of
 * data is in a {@link dev.kelvin.experiment.Data}, what differs by the kind of columns in a {@link
 * dev.kelvin.experiment.Columns}, one class a kind, and nowhere else.
 */
@NullMarked
package dev.kelvin.experiment;

import org.jspecify.annotations.NullMarked;

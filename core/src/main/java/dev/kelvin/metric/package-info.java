/**
 * Figures of merit: how each is computed, and in a {@link dev.kelvin.metric.figure.Figure} beside it what it means.
 *
 * <p>Read {@link dev.kelvin.metric.GridDensity} (a model's density in the plane) and
 * {@link dev.kelvin.metric.SampleDistance} (its samples) first; for
 * images {@link dev.kelvin.metric.image.FrechetDistance}, for classifiers {@link dev.kelvin.metric.Calibration}.
 * A new figure implements {@link dev.kelvin.metric.figure.FigureOfMerit}.
 */
@NullMarked
package dev.kelvin.metric;

import org.jspecify.annotations.NullMarked;

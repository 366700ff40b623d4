/**
 * Figures of merit.
 *
 * <p>Read {@link dev.kelvin.metric.GridDensity} (a model's density in the plane) and
 * {@link dev.kelvin.metric.SampleDistance} (its samples) first; for
 * images {@link dev.kelvin.metric.FrechetDistance}, for classifiers {@link dev.kelvin.metric.Calibration}.
 */
@NullMarked
package dev.kelvin.metric;

import org.jspecify.annotations.NullMarked;

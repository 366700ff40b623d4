/**
 * An experiment on disk: the run's folder and provenance, training and judging in it, chains on one density and their
 * diagnosis, and the measurement of studies.
 *
 * <p>Read {@link dev.kelvin.run.RunFolder} and {@link dev.kelvin.run.Runner} first.
 */
@NullMarked
package dev.kelvin.run;

import org.jspecify.annotations.NullMarked;

/** One recipe trained with many settings and seeds: read {@link Sweep}, {@link SweepFolder} and {@link SweepRunner}. */
@NullMarked
package dev.kelvin.sweep;

import org.jspecify.annotations.NullMarked;

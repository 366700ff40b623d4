/**
 * From a recipe to a run on disk: the parts that a recipe names, the run's folder, what happened in it, and how good it
 * came out.
 *
 * <p>Read {@link dev.kelvin.run.Parts}, {@link dev.kelvin.run.RunFolder} and {@link dev.kelvin.run.Runner} first.
 */
@NullMarked
package dev.kelvin.run;

import org.jspecify.annotations.NullMarked;

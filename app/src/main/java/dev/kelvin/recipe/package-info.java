/**
 * Recipe records, and the binder that reads them from YAML and says what is wrong with it, with line and column. Read
 * {@link dev.kelvin.experiment.Recipe} for the settings, {@link dev.kelvin.experiment.Recipes} for how they are found and
 * {@code Binder} for how they are read.
 */
@NullMarked
package dev.kelvin.recipe;

import org.jspecify.annotations.NullMarked;

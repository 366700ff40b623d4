/**
 * From YAML to records: the binder says what is wrong with a file, with line and column. {@link dev.kelvin.recipe.Yaml} is
 * the door; read {@code Binder} for how records are made, and {@code OldRecipes} for what older files called otherwise.
 */
@NullMarked
package dev.kelvin.recipe;

import org.jspecify.annotations.NullMarked;

/** A training run as settings: {@link dev.kelvin.recipe.Recipe}, its parts, and the studies that test claims with recipes. */
@NullMarked
package dev.kelvin.recipe;

import org.jspecify.annotations.NullMarked;

/** Recipe records, and the binder that reads them from YAML and says what is wrong with it, with line and column. */
@NullMarked
package dev.kelvin.recipe;

import org.jspecify.annotations.NullMarked;

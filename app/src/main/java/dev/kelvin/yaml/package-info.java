/**
 * From YAML to records: {@link dev.kelvin.yaml.RecipeText} is read as a record, and says what is wrong with a file by line and
 * column.
 */
@NullMarked
package dev.kelvin.yaml;

import org.jspecify.annotations.NullMarked;

/**
 * From YAML to records: {@link dev.kelvin.yaml.Yaml} reads, {@code Binder} makes records and says what is wrong with a file, by
 * line and column.
 */
@NullMarked
package dev.kelvin.yaml;

import org.jspecify.annotations.NullMarked;


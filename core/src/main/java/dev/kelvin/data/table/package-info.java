/**
 * A user's table of numbers, from CSV or NumPy files: {@link dev.kelvin.data.table.TableReader} reads it to be trained on,
 * {@link dev.kelvin.data.table.TableRows} to be scored, both by a {@link dev.kelvin.data.table.Schema}.
 */
@NullMarked
package dev.kelvin.data.table;

import org.jspecify.annotations.NullMarked;

/**
 * Rows of a table's file: {@link dev.kelvin.data.table.file.TableSource} reads CSV and NumPy files cell by cell, {@link
 * dev.kelvin.data.table.file.TableWriter} and {@link dev.kelvin.data.table.file.NumberWriter} write CSV.
 */
@NullMarked
package dev.kelvin.data.table.file;

import org.jspecify.annotations.NullMarked;

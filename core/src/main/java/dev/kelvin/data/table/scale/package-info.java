/**
 * Between a table's own units and a model's coordinates: {@link dev.kelvin.data.table.scale.Scaling} is fitted to rows and
 * saved with a run, {@link dev.kelvin.data.table.scale.Scaler} computes it.
 */
@NullMarked
package dev.kelvin.data.table.scale;

import org.jspecify.annotations.NullMarked;

/**
 * Where positives come from.
 *
 * <p>Read {@link dev.kelvin.data.ToyData} first.
 */
@NullMarked
package dev.kelvin.data;

import org.jspecify.annotations.NullMarked;

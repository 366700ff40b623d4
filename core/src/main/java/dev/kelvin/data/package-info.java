/**
 * Where positives come from.
 *
 * <p>Read {@link dev.kelvin.data.ToyData} first; for images {@link dev.kelvin.data.ImageSet}, {@link
 * dev.kelvin.data.ImageFiles}, which reads them, and {@link dev.kelvin.data.Loader}, which gives batches of them.
 */
@NullMarked
package dev.kelvin.data;

import org.jspecify.annotations.NullMarked;

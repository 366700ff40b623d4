/**
 * Readers of image files, one {@link dev.kelvin.data.format.ImageFormat} a file; start at {@link
 * dev.kelvin.data.format.ImageFiles}.
 */
@NullMarked
package dev.kelvin.data.format;

import org.jspecify.annotations.NullMarked;

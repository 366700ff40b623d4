/** Sets of images in memory and the loader that makes batches of them; start at {@link dev.kelvin.data.image.ImageSet}. */
@NullMarked
package dev.kelvin.data.image;

import org.jspecify.annotations.NullMarked;

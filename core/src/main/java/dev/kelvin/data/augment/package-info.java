/** Random augmentations of images, one per file; start at {@link dev.kelvin.data.augment.Augmentation}. */
@NullMarked
package dev.kelvin.data.augment;

import org.jspecify.annotations.NullMarked;

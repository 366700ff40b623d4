/** The training loop, its state on disk, and what it does when the numbers break. */
@NullMarked
package dev.kelvin.train;

import org.jspecify.annotations.NullMarked;

/** What draws: densities, samples, curves and grids of images as PNG; start at {@link dev.kelvin.draw.Drawings}. */
@NullMarked
package dev.kelvin.draw;

import org.jspecify.annotations.NullMarked;

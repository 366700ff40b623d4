/** The published image sets that Kelvin knows by name, and how it gets them. */
@NullMarked
package dev.kelvin.sets;

import org.jspecify.annotations.NullMarked;

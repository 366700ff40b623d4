/** What the library registers: one line for each of its parts. */
@NullMarked
package dev.kelvin.parts;

import org.jspecify.annotations.NullMarked;

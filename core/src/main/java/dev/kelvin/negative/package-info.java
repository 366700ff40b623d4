/** Where negatives come from: starts, replay buffers, and the source that joins them with a kernel. */
@NullMarked
package dev.kelvin.negative;

import org.jspecify.annotations.NullMarked;

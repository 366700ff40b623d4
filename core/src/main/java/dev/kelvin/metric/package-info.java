/** Figures of merit. */
@NullMarked
package dev.kelvin.metric;

import org.jspecify.annotations.NullMarked;

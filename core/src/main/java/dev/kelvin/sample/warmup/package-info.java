/** Warm-up: tunes step size, metric and path length of a kernel before draws are kept. */
@NullMarked
package dev.kelvin.sample.warmup;

import org.jspecify.annotations.NullMarked;

/** Optimisers, schedules and averages on the flat parameter vector. */
@NullMarked
package dev.kelvin.optim;

import org.jspecify.annotations.NullMarked;

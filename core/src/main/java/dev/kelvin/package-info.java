/** What every package shares: {@link dev.kelvin.Check checks of settings}, {@link dev.kelvin.AtomicFile whole files}. */
@NullMarked
package dev.kelvin;

import org.jspecify.annotations.NullMarked;

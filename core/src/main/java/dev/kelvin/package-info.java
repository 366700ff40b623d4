/** What every package shares: {@link dev.kelvin.Check checks of settings}. */
@NullMarked
package dev.kelvin;

import org.jspecify.annotations.NullMarked;

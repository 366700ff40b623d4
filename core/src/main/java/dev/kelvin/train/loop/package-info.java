/** The training loop, {@link dev.kelvin.train.loop.Trainer}, and its divergence guard. */
@NullMarked
package dev.kelvin.train.loop;

import org.jspecify.annotations.NullMarked;

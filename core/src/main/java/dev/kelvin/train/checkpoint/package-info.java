/** A learner's state on disk: {@link dev.kelvin.train.checkpoint.Checkpoints}. */
@NullMarked
package dev.kelvin.train.checkpoint;

import org.jspecify.annotations.NullMarked;

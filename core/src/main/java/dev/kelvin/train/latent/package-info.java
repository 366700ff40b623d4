/** Training of a generator with an energy-based prior: {@link dev.kelvin.train.latent.LatentLearner}. */
@NullMarked
package dev.kelvin.train.latent;

import org.jspecify.annotations.NullMarked;

/** Posterior sampling of a user's own log-density: {@link dev.kelvin.sample.posterior.PosteriorSampler}. */
@NullMarked
package dev.kelvin.sample.posterior;

import org.jspecify.annotations.NullMarked;

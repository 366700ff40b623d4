/** Markov kernels, one file each: pure functions from state to state under a target that is passed at each step. */
@NullMarked
package dev.kelvin.sample;

import org.jspecify.annotations.NullMarked;

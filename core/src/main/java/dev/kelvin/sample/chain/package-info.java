/**
 * Runs of Markov chains: {@link dev.kelvin.sample.chain.ChainRun} advances them, {@link dev.kelvin.sample.chain.Chains} records
 * draws.
 */
@NullMarked
package dev.kelvin.sample.chain;

import org.jspecify.annotations.NullMarked;

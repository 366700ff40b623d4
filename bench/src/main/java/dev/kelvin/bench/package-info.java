/**
 * How fast Kelvin is: alone (JMH), and against PyTorch in one interleaved run.
 *
 * <p>Read {@link dev.kelvin.bench.ToyIteration} first.
 */
@NullMarked
package dev.kelvin.bench;

import org.jspecify.annotations.NullMarked;

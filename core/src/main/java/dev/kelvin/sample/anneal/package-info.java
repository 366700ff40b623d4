/**
 * Annealing between densities: samples by annealed runs, normalising constants with bounds ({@link
 * dev.kelvin.sample.anneal.PartitionFunction}).
 */
@NullMarked
package dev.kelvin.sample.anneal;

import org.jspecify.annotations.NullMarked;

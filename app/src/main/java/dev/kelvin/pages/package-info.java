/** Whole pages: the report of a run, of chains, of runs compared, of a study; and the curves for TensorBoard. */
@NullMarked
package dev.kelvin.pages;

import org.jspecify.annotations.NullMarked;

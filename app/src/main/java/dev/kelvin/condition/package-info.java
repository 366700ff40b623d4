/** Conditional samples: in-painting, denoising, given cells of a table, products of models. */
@NullMarked
package dev.kelvin.condition;

import org.jspecify.annotations.NullMarked;

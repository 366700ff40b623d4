/** Samples of trained models that keep to something: known pixels, a noisy image, or other models. */
@NullMarked
package dev.kelvin.model.condition;

import org.jspecify.annotations.NullMarked;

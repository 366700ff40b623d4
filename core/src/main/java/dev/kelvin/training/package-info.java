/** Training a model from Java, with a default for everything but the data. */
@NullMarked
package dev.kelvin.training;

import org.jspecify.annotations.NullMarked;

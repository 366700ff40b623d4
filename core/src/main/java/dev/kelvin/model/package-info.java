/** Trained models: load one with {@link dev.kelvin.model.Model}, train one with {@code dev.kelvin.training.ModelTraining}. */
@NullMarked
package dev.kelvin.model;

import org.jspecify.annotations.NullMarked;

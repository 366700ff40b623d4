/** Trained models: load one with {@link dev.kelvin.model.Model}, train one with {@link dev.kelvin.model.ModelTraining}. */
@NullMarked
package dev.kelvin.model;

import org.jspecify.annotations.NullMarked;

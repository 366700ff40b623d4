/**
 * Evaluation of a trained model: {@link dev.kelvin.judge.Judge} finds the judge for its data, which measures the model and
 * computes its figures.
 */
@NullMarked
package dev.kelvin.judge;

import org.jspecify.annotations.NullMarked;

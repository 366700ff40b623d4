/** Evaluation of a trained model: one {@link dev.kelvin.judge.Judgement} a kind of data, and its findings. */
@NullMarked
package dev.kelvin.judge;

import org.jspecify.annotations.NullMarked;


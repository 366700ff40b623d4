/**
 * Evaluation of a trained model: {@link dev.kelvin.judge.Judge} finds the judge for its data, a {@link
 * dev.kelvin.judge.Judgement} holds what was measured.
 */
@NullMarked
package dev.kelvin.judge;

import org.jspecify.annotations.NullMarked;

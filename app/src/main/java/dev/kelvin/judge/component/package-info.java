/**
 * What a model's components (none, classes, times, latent vectors) add to its judgement: one class a kind, found by {@link
 * dev.kelvin.judge.component.ComponentJudge}.
 */
@NullMarked
package dev.kelvin.judge.component;

import org.jspecify.annotations.NullMarked;

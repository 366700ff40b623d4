/**
 * Figures of merit as declared: name, meaning, which direction is better, what value is good. Read {@link
 * dev.kelvin.metric.figure.Figure} first.
 */
@NullMarked
package dev.kelvin.metric.figure;

import org.jspecify.annotations.NullMarked;

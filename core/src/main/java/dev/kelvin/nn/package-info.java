/**
 * Networks as pure functions of (parameters, input).
 *
 * <p>Read {@link dev.kelvin.nn.Network}, {@link dev.kelvin.nn.Parameters} and {@link dev.kelvin.nn.Mlp} first;
 * {@link dev.kelvin.nn.conv.ShortRun} is the simplest for images, {@link dev.kelvin.nn.conv.Igebm} one that keeps more with its
 * parameters than what is trained.
 */
@NullMarked
package dev.kelvin.nn;

import org.jspecify.annotations.NullMarked;

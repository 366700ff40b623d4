/**
 * Networks as pure functions of (parameters, input).
 *
 * <p>Read {@link dev.kelvin.nn.Network}, {@link dev.kelvin.nn.Parameters} and {@link dev.kelvin.nn.Mlp} first.
 */
@NullMarked
package dev.kelvin.nn;

import org.jspecify.annotations.NullMarked;

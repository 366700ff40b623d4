/** Numerics in plain Java: quadrature, boxes of the plane, the normal quantile and scores, the Fourier transform. */
@NullMarked
package dev.kelvin.math;

import org.jspecify.annotations.NullMarked;

/**
 * Parts of a user's own, one file each, on nothing but {@code kelvin-core}: a network, a kernel, an objective, a term of the
 * loss, a figure of merit and an image format.
 *
 * <p>Read {@link com.example.kelvin.OwnParts} first, which registers them, then {@link com.example.kelvin.RadialBasis}.
 */
package com.example.kelvin;

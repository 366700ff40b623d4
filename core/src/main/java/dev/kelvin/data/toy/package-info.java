/** Toy sets in the plane, each with its exact density; start at {@link dev.kelvin.data.toy.ToyData}. */
@NullMarked
package dev.kelvin.data.toy;

import org.jspecify.annotations.NullMarked;

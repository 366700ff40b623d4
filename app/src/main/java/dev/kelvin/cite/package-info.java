/**
 * Which works a run stands on: {@link dev.kelvin.cite.Citations} finds them on the parts of its recipe, {@link
 * dev.kelvin.cite.Bibliography} has them in full.
 */
@NullMarked
package dev.kelvin.cite;

import org.jspecify.annotations.NullMarked;

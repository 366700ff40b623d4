/**
 * Parts and their settings: a part is a record that a recipe names, found in the {@link dev.kelvin.part.Catalogue}; {@link
 * dev.kelvin.part.Check} makes its checks.
 */
@NullMarked
package dev.kelvin.part;

import org.jspecify.annotations.NullMarked;

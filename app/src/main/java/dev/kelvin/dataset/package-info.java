/**
 * Data that a recipe names: the settings ({@link dev.kelvin.dataset.DataSettings}) and what they open ({@link
 * dev.kelvin.dataset.Data}), one class a kind.
 */
@NullMarked
package dev.kelvin.dataset;

import org.jspecify.annotations.NullMarked;

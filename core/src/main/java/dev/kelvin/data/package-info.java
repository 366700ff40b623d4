/** Where positives come from. */
@NullMarked
package dev.kelvin.data;

import org.jspecify.annotations.NullMarked;

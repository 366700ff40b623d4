/** Pictures and sections of a report, one class a kind of data. */
@NullMarked
package dev.kelvin.panel;

import org.jspecify.annotations.NullMarked;


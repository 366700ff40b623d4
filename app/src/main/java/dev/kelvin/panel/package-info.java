/** What a report shows of a judgement, found by {@link dev.kelvin.panel.Panels}: one class a kind of data. */
@NullMarked
package dev.kelvin.panel;

import org.jspecify.annotations.NullMarked;


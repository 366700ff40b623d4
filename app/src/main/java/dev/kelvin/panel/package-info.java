/** What a report shows of what a judge has measured, found by {@link dev.kelvin.panel.Panels}: one class a kind of data. */
@NullMarked
package dev.kelvin.panel;

import org.jspecify.annotations.NullMarked;

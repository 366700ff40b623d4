/**
 * What a page is made of: one self-contained HTML file from plain Java data.
 *
 * <p>Read {@link dev.kelvin.report.Report} first, then {@link dev.kelvin.report.Block} (what a section is made of). Nothing
 * here needs a screen; a program that draws should still start with {@code java.awt.headless=true}, so that no desktop asks
 * to show it.
 */
@NullMarked
package dev.kelvin.report;

import org.jspecify.annotations.NullMarked;

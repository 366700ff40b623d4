/**
 * Renders a run's report from plain Java data: one self-contained HTML page, and PNG files of its figures.
 *
 * <p>Read {@link dev.kelvin.report.Report} first, then {@link dev.kelvin.report.Block} (what a section is made of) and
 * {@link dev.kelvin.report.Figures} (how arrays become pictures). Nothing here needs a screen; a program that draws
 * should still start with {@code java.awt.headless=true}, so that no desktop asks to show it.
 */
@NullMarked
package dev.kelvin.report;

import org.jspecify.annotations.NullMarked;

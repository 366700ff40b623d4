/**
 * The command line: one class a verb. Results go to stdout, progress and complaints to stderr.
 *
 * <p>Read {@link dev.kelvin.cli.Main} and {@link dev.kelvin.cli.Train} first.
 */
@NullMarked
package dev.kelvin.cli;

import org.jspecify.annotations.NullMarked;

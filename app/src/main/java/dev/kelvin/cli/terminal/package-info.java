/** What people and programs see of a command: progress, results, sentences, and how signals stop it. */
@NullMarked
package dev.kelvin.cli.terminal;

import org.jspecify.annotations.NullMarked;

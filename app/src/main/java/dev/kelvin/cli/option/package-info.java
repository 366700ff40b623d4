/** Options that several verbs have, and what they name. */
@NullMarked
package dev.kelvin.cli.option;

import org.jspecify.annotations.NullMarked;

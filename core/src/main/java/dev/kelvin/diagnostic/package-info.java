/** Whether chains may be believed: R-hat, effective sample sizes, their errors, and Stein discrepancy. */
@NullMarked
package dev.kelvin.diagnostic;

import org.jspecify.annotations.NullMarked;

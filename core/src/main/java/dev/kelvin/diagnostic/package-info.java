/** Whether chains may be believed, and what they cost: R-hat, effective sample sizes, their errors. */
@NullMarked
package dev.kelvin.diagnostic;

import org.jspecify.annotations.NullMarked;

/** What is minimised: from f on positives and negatives to a loss and its gradient with respect to f. */
@NullMarked
package dev.kelvin.objective;

import org.jspecify.annotations.NullMarked;

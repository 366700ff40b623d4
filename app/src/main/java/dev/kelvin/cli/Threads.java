package dev.kelvin.cli;

import dev.kelvin.tensor.Backend;

/** How many threads an operation on tensors uses: set once, before a command's work begins. */
final class Threads {
    private Threads() {}

    /**
     * One for points, whose operations are too small to share; half of the processors for images, because chains are moved
     * in two halves at once. {@code -Dkelvin.threads} has the last word.
     */
    static void choose(boolean images) {
        if (System.getProperty("kelvin.threads") == null) {
            int processors = Runtime.getRuntime().availableProcessors();
            Backend.threads(images ? Math.max(1, processors / 2) : 1);
        }
    }
}

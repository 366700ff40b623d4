package dev.kelvin.experiment;

import java.util.List;

/** Stand-in until the tuned one is merged. */
record TableAdvice(long rows, int columns) {
    static TableAdvice of(long rows, int columns) {
        return new TableAdvice(rows, columns);
    }

    Data.Advice advice(String title) {
        return new Data.Advice(List.of(), title + ": " + rows + " rows of " + columns + " columns");
    }
}

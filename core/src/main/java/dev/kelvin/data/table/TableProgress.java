package dev.kelvin.data.table;

import java.util.OptionalDouble;

/** Receives now and then how far reading is. */
@FunctionalInterface
public interface TableProgress {
    /** Ignores it. */
    TableProgress NONE = (rows, share) -> {};

    /** Called with the rows that have been read, and their share of the file where that is known. */
    void at(long rows, OptionalDouble share);
}

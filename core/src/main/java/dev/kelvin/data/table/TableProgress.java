package dev.kelvin.data.table;

/** Receives now and then how far reading is. */
@FunctionalInterface
public interface TableProgress {
    /** Ignores it. */
    TableProgress NONE = (rows, bytes, total) -> {};

    /** Called with the rows and the bytes that have been read, and the bytes of the file. */
    void at(long rows, long bytes, long total);
}

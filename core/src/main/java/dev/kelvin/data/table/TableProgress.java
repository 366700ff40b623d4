package dev.kelvin.data.table;

/** Is told now and then how far reading is. */
@FunctionalInterface
public interface TableProgress {
    /** Tells nobody. */
    TableProgress NONE = (rows, bytes, total) -> {};

    /** So many rows have been read, and so many of the file's bytes. */
    void at(long rows, long bytes, long total);
}

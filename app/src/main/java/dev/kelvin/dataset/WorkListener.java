package dev.kelvin.dataset;

/** Listens to the progress of long work that is not training. */
@FunctionalInterface
public interface WorkListener {
    /** Ignores everything. */
    WorkListener SILENT = (work, done, of) -> {};

    /** Work, described in words, has done a part of all that there is to do. */
    void at(String work, long done, long of);
}

package dev.kelvin.dataset;

/** Is told how far long work is that is not training. */
@FunctionalInterface
public interface WorkListener {
    /** Tells nobody. */
    WorkListener SILENT = (work, done, of) -> {};

    void at(String work, long done, long of);
}

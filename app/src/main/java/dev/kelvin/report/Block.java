package dev.kelvin.report;

/** One piece of a section. A case is a record of what is to be said, which knows how to write itself as HTML. */
public interface Block {
    /** Writes this block; every text in it is escaped. */
    void write(Html html);
}

package dev.kelvin.report;

/** One piece of a section. An implementation is a record of its contents, and writes itself as HTML. */
public interface Block {
    /** Writes this block; every text in it is escaped. */
    void write(Html html);
}

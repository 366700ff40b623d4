package dev.kelvin.part;

import java.util.List;

/** What knows its own works: an instance among several of a class, such as a toy set or a figure of merit. */
public interface Citing {
    /** The works' keys, as in {@link Cites}. */
    List<String> cites();
}

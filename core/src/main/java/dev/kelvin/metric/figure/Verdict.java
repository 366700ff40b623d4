package dev.kelvin.metric.figure;

import java.util.Locale;

/** What the value of a figure of merit says about a run. */
public enum Verdict {
    GOOD,
    FAIR,
    POOR,
    /** The figure is not judged. */
    NONE;

    /** The verdict as a word for people; empty where there is none. */
    public String word() {
        return this == NONE ? "" : name().toLowerCase(Locale.ROOT);
    }
}

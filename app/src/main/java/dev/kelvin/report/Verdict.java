package dev.kelvin.report;

import java.util.Locale;

/** What a figure of merit says about a run; told by a word and a sign, never by colour alone. */
public enum Verdict {
    GOOD("✓"),
    FAIR("○"),
    POOR("✕"),
    NONE("");

    private final String sign;

    Verdict(String sign) {
        this.sign = sign;
    }

    /** The verdict as a word for people; empty where there is none. */
    public String word() {
        return this == NONE ? "" : name().toLowerCase(Locale.ROOT);
    }

    void write(Html html) {
        if (this != NONE) {
            html.open("span", "class", "verdict " + word());
            html.element("span", sign, "aria-hidden", "true").text(" " + word()).close("span");
        }
    }
}

package dev.kelvin.report;

import dev.kelvin.metric.figure.Verdict;

/** A verdict on the page: a word and a sign, never colour alone. */
final class VerdictMark {
    private VerdictMark() {}

    /** Nothing where there is no verdict. */
    static void write(Html html, Verdict verdict) {
        if (verdict != Verdict.NONE) {
            html.open("span", "class", "verdict " + verdict.word());
            html.element("span", sign(verdict), "aria-hidden", "true")
                    .text(" " + verdict.word())
                    .close("span");
        }
    }

    private static String sign(Verdict verdict) {
        return switch (verdict) {
            case GOOD -> "✓";
            case FAIR -> "○";
            case POOR -> "✕";
            case NONE -> "";
        };
    }
}

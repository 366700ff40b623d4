package dev.kelvin.cli;

import java.io.PrintWriter;

/** Sentences on a terminal, broken between words; elsewhere, in 0 columns, each is one line. */
record Paragraph(PrintWriter out, int columns) {
    /** Too narrow to break anything into. */
    private static final int LEAST = 20;

    /** As wide as this process's terminal, if it has one. */
    static Paragraph on(PrintWriter out) {
        return new Paragraph(out, Integer.getInteger("kelvin.columns", 0));
    }

    /** The text after a mark, its further lines as far in. */
    void print(String mark, String text) {
        String indent = " ".repeat(mark.length());
        StringBuilder line = new StringBuilder(mark);
        for (String word : text.split(" ", -1)) {
            boolean first = line.length() == mark.length();
            if (!first && columns - mark.length() > LEAST && line.length() + 1 + word.length() > columns) {
                out.println(line);
                line = new StringBuilder(indent);
                first = true;
            }
            line.append(first ? "" : " ").append(word);
        }
        out.println(line);
    }
}

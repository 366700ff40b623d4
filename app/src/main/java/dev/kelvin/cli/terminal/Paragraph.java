package dev.kelvin.cli.terminal;

import java.io.PrintWriter;

/**
 * Sentences on a terminal, broken between words.
 *
 * @param columns the width of the terminal; 0 elsewhere, where each sentence is one line
 */
public record Paragraph(PrintWriter out, int columns) {
    /** Too narrow to break anything into. */
    private static final int LEAST = 20;

    /** A paragraph as wide as this process's terminal, if it has one. */
    public static Paragraph on(PrintWriter out) {
        return new Paragraph(out, Integer.getInteger("kelvin.columns", 0));
    }

    /** Prints a text after a mark; further lines are indented by the width of the mark. */
    public void print(String mark, String text) {
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

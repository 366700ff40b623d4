package dev.kelvin.data.table;

import dev.kelvin.data.table.file.TableSource;
import dev.kelvin.part.Words;
import java.util.regex.Pattern;

/** What is wrong with a cell or a row, and where, as sentences have it. */
final class CellProblem {
    private static final Pattern DECIMAL_COMMA = Pattern.compile("[-+]?[0-9]+,[0-9]+");

    private CellProblem() {}

    /** The row by number, and by line where the two differ. */
    static String row(long row, long line) {
        return "row " + row + (line == 0 || line == row ? "" : " (line " + line + ")");
    }

    /** Why the number that was read from a cell's text is none. */
    static String of(double number, String text) {
        if (TableSource.isMissing(text)) {
            return text.isEmpty() ? "is empty" : "holds " + Words.quote(text) + ", a missing value";
        }
        if (isInfinite(number, text)) {
            return "holds " + Words.quote(text) + ", which is infinite";
        }
        return "holds " + Words.quote(text) + ", which is no number"
                + (DECIMAL_COMMA.matcher(text).matches() ? " (decimals need a point, not a comma)" : "");
    }

    static boolean isInfinite(double number, String text) {
        return Double.isInfinite(number) || text.matches("(?i)[-+]?inf(inity)?");
    }

    static String cells(int found, int expected) {
        return "has " + found + (found == 1 ? " cell" : " cells") + "; expected " + expected;
    }
}

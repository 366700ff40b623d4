package dev.kelvin.data.table;

import dev.kelvin.part.Words;
import java.util.Optional;

/**
 * A row that cannot be scored.
 *
 * @param row its number, from 1, the header not counted
 * @param line the line on which it begins, from 1; 0 where the file has no lines
 * @param column the column that is at fault, where one is
 * @param problem what is wrong: "holds 'abc', which is no number"
 */
public record BadRow(long row, long line, Optional<String> column, String problem) {
    /** The whole as a sentence without its full stop. */
    public String words() {
        return CellProblem.row(row, line)
                + column.map(name -> ", column " + Words.quote(name)).orElse("") + " " + problem;
    }
}

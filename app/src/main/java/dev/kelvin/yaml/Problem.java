package dev.kelvin.yaml;

import java.util.Comparator;

/**
 * One mistake in a recipe and where it is: a file with a line and a column, both counted from 1, or something without
 * lines, such as {@code --set train.batch=0}; the line is then 0 and the
 * column the rank among its like.
 */
public record Problem(String where, int line, int column, String message) {
    /** By position; what has no line comes last. Those at one place stay in the order in which they were found. */
    static final Comparator<Problem> BY_POSITION = Comparator.comparingInt(
                    (Problem problem) -> problem.line == 0 ? Integer.MAX_VALUE : problem.line)
            .thenComparingInt(Problem::column);

    @Override
    public String toString() {
        return new Place(where, line, column) + ": " + message;
    }
}

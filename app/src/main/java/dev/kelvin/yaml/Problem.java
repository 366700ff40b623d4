package dev.kelvin.yaml;

import java.util.Comparator;

/** One mistake in a recipe and where it is. */
public record Problem(Place place, String message) {
    /** By position; what has no line comes last. Those at one place stay in the order in which they were found. */
    static final Comparator<Problem> BY_POSITION = Comparator.comparingInt(
                    (Problem problem) -> problem.place.line() == 0 ? Integer.MAX_VALUE : problem.place.line())
            .thenComparingInt(problem -> problem.place.column());

    @Override
    public String toString() {
        return place + ": " + message;
    }
}

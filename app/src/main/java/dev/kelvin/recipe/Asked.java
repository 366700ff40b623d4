package dev.kelvin.recipe;

import java.util.Optional;

/**
 * A figure that a rule asks for, {@code RUN.FIGURE} or {@code RUN.FIGURE@MOMENT}.
 *
 * @param run the name of a run or of chains
 * @param moment when in training; empty for the figure of the finished run
 */
public record Asked(String run, String figure, Optional<Moment> moment) {
    /** What a name in a rule asks for. */
    public static Asked parse(String name) {
        int dot = name.indexOf('.');
        int at = name.indexOf('@', dot);
        return new Asked(
                name.substring(0, dot),
                name.substring(dot + 1, at < 0 ? name.length() : at),
                at < 0 ? Optional.empty() : Moment.parse(name.substring(at + 1)));
    }
}

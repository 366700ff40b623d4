package dev.kelvin.sample.anneal;

import dev.kelvin.energy.LogDensity;
import java.util.List;
import java.util.stream.IntStream;

/** Densities on the way from one that is easy to sample to one that is not. */
final class Paths {
    private Paths() {}

    /** (1 − β)·from + β·to with β = i/(count − 1) to the power {@code power}: above 1 most densities lie near from. */
    static List<LogDensity> geometric(LogDensity from, LogDensity to, int count, double power) {
        return IntStream.range(0, count)
                .mapToDouble(i -> Math.pow(i / (count - 1.0), power))
                .mapToObj(beta -> beta == 0
                        ? from
                        : beta == 1 ? to : from.scaled(1 - beta).plus(to.scaled(beta)))
                .toList();
    }
}

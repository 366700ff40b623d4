package dev.kelvin.sample.anneal;

import dev.kelvin.energy.LogDensity;
import dev.kelvin.part.Check;
import dev.kelvin.part.SettingException;
import java.util.ArrayList;
import java.util.List;

/** Densities on the way from one that is easy to sample to one that is not. */
public record AnnealingPath(List<LogDensity> densities) {
    public AnnealingPath {
        densities = List.copyOf(densities);
        if (densities.size() < 2) {
            throw new SettingException("path", "must have at least two densities, found " + densities.size());
        }
    }

    /** (1 − β)·from + β·to with β = i/(count − 1) to the power {@code power}: above 1 most densities lie near from. */
    public static AnnealingPath geometric(LogDensity from, LogDensity to, int count, double power) {
        Check.atLeast("count", count, 2);
        Check.positive("power", power);
        List<LogDensity> densities = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            double beta = Math.pow(i / (count - 1.0), power);
            densities.add(
                    beta == 0 ? from : beta == 1 ? to : from.scaled(1 - beta).plus(to.scaled(beta)));
        }
        return new AnnealingPath(densities);
    }

    /** How many densities the path has. */
    public int size() {
        return densities.size();
    }

    /** The density of this number, from 0 on. */
    public LogDensity at(int i) {
        return densities.get(i);
    }

    /** The density that the path leads to. */
    public LogDensity last() {
        return densities.get(size() - 1);
    }
}

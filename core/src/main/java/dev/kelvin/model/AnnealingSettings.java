package dev.kelvin.model;

import dev.kelvin.part.Check;
import dev.kelvin.part.Default;
import dev.kelvin.part.Doc;

/** How samples of a time-joint model are made: its chains are annealed from the noise to the data. */
@Doc("how the model is sampled: chains are annealed from the noise to the data")
public record AnnealingSettings(
        @Doc("basic: on one time after the other; soft: on the marginal of all remaining times") @Default("soft")
        Schedule schedule,

        @Doc("the number of steps at each time") @Default("3")
        int steps,

        @Doc("the largest number of samples of images that figures are computed from: annealed chains are long")
        @Default("10000")
        int samples) {
    public AnnealingSettings {
        Check.all(() -> Check.atLeast("steps", steps, 1), () -> Check.atLeast("samples", samples, 2));
    }

    /** The densities along which chains are annealed. */
    public enum Schedule {
        /** Each time's own density, one after the other. */
        BASIC,
        /** At each time the marginal of it and all later ones. */
        SOFT
    }
}

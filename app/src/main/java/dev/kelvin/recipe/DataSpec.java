package dev.kelvin.recipe;

import dev.kelvin.data.ToyData;

/** What is learnt. */
public sealed interface DataSpec {
    /** How many numbers a sample has. */
    int dimensions();

    /** The data itself. */
    ToyData data();

    @Doc("fresh samples of a known density in the plane; also written {toy: rings}")
    record Toy(@Doc("which density") ToySet set) implements DataSpec {
        @Override
        public int dimensions() {
            return 2;
        }

        @Override
        public ToyData data() {
            return ToyData.named(Words.kebab(set.name()));
        }
    }

    /** The densities in the plane. */
    enum ToySet {
        GMM,
        RINGS,
        FOUR_GAUSSIANS,
        SPIRAL,
        MOONS,
        CHECKERBOARD,
        PINWHEEL
    }
}

package dev.kelvin.recipe;

/** What is learnt. */
public sealed interface DataSpec {
    /** How many numbers a sample has. */
    int dimensions();

    @Doc("fresh samples of a known density in the plane; also written {toy: rings}")
    record Toy(@Doc("which density") ToySet set) implements DataSpec {
        @Override
        public int dimensions() {
            return 2;
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

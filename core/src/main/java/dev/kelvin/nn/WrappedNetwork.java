package dev.kelvin.nn;

import dev.kelvin.tensor.Tensor;

/** A network around another, which it passes on everything that it does not change. */
interface WrappedNetwork extends Network {
    Network inner();

    @Override
    default Layout layout() {
        return inner().layout();
    }

    @Override
    default boolean takesImages() {
        return inner().takesImages();
    }

    @Override
    default boolean hasBlocks() {
        return inner().hasBlocks();
    }

    @Override
    default boolean rowsAlone() {
        return inner().rowsAlone();
    }

    @Override
    default String words() {
        return inner().words();
    }

    @Override
    default Parameters frozen(Parameters parameters) {
        return inner().frozen(parameters);
    }

    @Override
    default void advance(Parameters parameters, Tensor input) {
        inner().advance(parameters, input);
    }
}

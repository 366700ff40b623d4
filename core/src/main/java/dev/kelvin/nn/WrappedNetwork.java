package dev.kelvin.nn;

import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;

/** A network around another, to which it passes on everything that it does not change. */
interface WrappedNetwork extends Network {
    Network inner();

    /** What becomes of the input, and of the inner network's output for it, in training and otherwise. */
    Tensor around(Forward inner, Parameters parameters, Tensor input);

    /** A pass through the inner network: {@link Network#apply} or {@link Network#inTraining}. */
    @FunctionalInterface
    interface Forward {
        Tensor of(Parameters parameters, Tensor input);
    }

    @Override
    default Tensor apply(Parameters parameters, Tensor input) {
        return Scope.kept(() -> around(inner()::apply, parameters, input));
    }

    @Override
    default Tensor inTraining(Parameters parameters, Tensor input) {
        return Scope.kept(() -> around(inner()::inTraining, parameters, input));
    }

    @Override
    default Layout layout() {
        return inner().layout();
    }

    @Override
    default boolean takesImages() {
        return inner().takesImages();
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

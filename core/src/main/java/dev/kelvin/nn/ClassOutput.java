package dev.kelvin.nn;

import dev.kelvin.tensor.Tensor;

/**
 * Of a network with an output for each class the one of each sample's class, [n, 1]. Both ways back are the network's own,
 * with the weights at the chosen outputs and 0 at the others.
 */
record ClassOutput(Network inner, Labels labels) implements WrappedNetwork {
    @Override
    public Tensor around(Forward network, Parameters parameters, Tensor input) {
        return chosen(network.of(parameters, input), labels.indices(input));
    }

    @Override
    public Pullback pullback(Parameters parameters, Tensor input) {
        return chosen(inner.pullback(parameters, input), input);
    }

    @Override
    public Pullback inputPullback(Parameters parameters, Tensor input) {
        return chosen(inner.inputPullback(parameters, input), input);
    }

    private static Tensor chosen(Tensor outputs, Tensor indices) {
        return outputs.gather(1, indices);
    }

    private Pullback chosen(Pullback all, Tensor input) {
        Tensor outputs = all.output();
        return new Pullback(
                chosen(outputs, labels.indices(input)),
                weights -> all.gradient().apply(weights.times(labels.oneHot(outputs))));
    }
}

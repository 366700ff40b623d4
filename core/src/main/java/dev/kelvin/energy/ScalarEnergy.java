package dev.kelvin.energy;

import dev.kelvin.nn.Layout;
import dev.kelvin.nn.Network;
import dev.kelvin.nn.OutputAndGradient;
import dev.kelvin.nn.Parameters;
import dev.kelvin.nn.Pullback;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;

/** f(x) = the only output of a network. */
public record ScalarEnergy(Network network) implements EnergyModel {
    @Override
    public Layout layout() {
        return network.layout();
    }

    @Override
    public LogDensity bind(Parameters parameters) {
        return bound(network, network.frozen(parameters));
    }

    /** The density with parameters that are frozen already. */
    static LogDensity bound(Network network, Parameters parameters) {
        return new Bound(network, parameters);
    }

    @Override
    public Pullback pullback(Parameters parameters, Tensor x) {
        Pullback pullback = network.pullback(parameters, x);
        return new Pullback(
                oneEach(pullback.output(), x), weights -> pullback.gradient().apply(weights.reshape(-1, 1)));
    }

    @Override
    public void advance(Parameters parameters, Tensor positives) {
        network.advance(parameters, positives);
    }

    private record Bound(Network network, Parameters parameters) implements LogDensity {
        @Override
        public Tensor at(Tensor x) {
            try (Scope scope = Scope.open()) {
                return scope.keep(oneEach(network.apply(parameters, x), x));
            }
        }

        @Override
        public ValueAndGradient valueAndGradient(Tensor x) {
            OutputAndGradient both = network.outputAndInputGradient(parameters, x);
            return new ValueAndGradient(oneEach(both.output(), x), both.gradient());
        }

        @Override
        public Tensor gradient(Tensor x) {
            return network.inputGradient(parameters, x);
        }
    }

    private static Tensor oneEach(Tensor output, Tensor x) {
        if (output.dim() != 2 || output.size(1) != 1 || output.size(0) != x.size(0)) {
            throw new IllegalArgumentException("the network returned " + output + " for " + x
                    + "; expected one value a sample, [" + x.size(0) + ", 1]");
        }
        return output.squeeze(1);
    }
}

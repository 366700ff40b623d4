package dev.kelvin.energy;

import dev.kelvin.Check;
import dev.kelvin.nn.Layout;
import dev.kelvin.nn.Network;
import dev.kelvin.nn.Parameters;
import dev.kelvin.nn.Pullback;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.Arrays;

/**
 * f(x, y) for every class y, the outputs of a network: one model of each class's samples, of all together, and of the class.
 *
 * <pre>
 * log p(x|y) = f(x, y) − log Z_y        {@link #bind}(parameters).given(labels)
 * log p(x)   = LSE_y f(x, y) − log Z    {@link #bind}(parameters)
 * p(y|x)     = softmax_y f(x, y)        {@link #joint}(parameters, x).softmax(1)
 * </pre>
 *
 * <p>What is trained is f at each sample's own class. Chains of one class never see another's f, so the Z_y are tied by
 * nothing but the network's common layers: p(x|y) is learnt, p(y|x) and p(x) only as far as those go.
 */
public record ClassEnergy(Network network, int classes) implements EnergyModel {
    public ClassEnergy {
        Check.atLeast("classes", classes, 2);
    }

    /** The classes of so many samples, each in turn. */
    public static long[] inTurn(int count, int classes) {
        long[] labels = new long[count];
        Arrays.setAll(labels, i -> i % classes);
        return labels;
    }

    @Override
    public Layout layout() {
        return network.layout();
    }

    /** All classes together; with labels, the density of samples of those classes. */
    @Override
    public LogDensity bind(Parameters parameters) {
        return new Marginal(this, network.frozen(parameters));
    }

    @Override
    public Pullback pullback(Parameters parameters, Tensor x) {
        return marginal(network.pullback(parameters, x), x);
    }

    @Override
    public Pullback pullback(Parameters parameters, Tensor x, long... labels) {
        return new ScalarEnergy(network.given(labels)).pullback(parameters, x);
    }

    @Override
    public void advance(Parameters parameters, Tensor positives) {
        network.advance(parameters, positives);
    }

    /** f at every class, [n, classes]: the logits of p(y|x). */
    public Tensor joint(Parameters parameters, Tensor x) {
        try (Scope scope = Scope.open()) {
            return scope.keep(oneEach(network.apply(parameters, x), x));
        }
    }

    /** The way back of LSE_y f(x, y): weights v on it are weights v·p(y|x) on f(x, y). */
    private Pullback marginal(Pullback joint, Tensor x) {
        Tensor f = oneEach(joint.output(), x).detach();
        return new Pullback(
                f.logSumExp(1), weights -> joint.gradient().apply(f.softmax(1).times(weights.unsqueeze(1))));
    }

    private Tensor oneEach(Tensor outputs, Tensor x) {
        if (outputs.dim() != 2 || outputs.size(1) != classes || outputs.size(0) != x.size(0)) {
            throw new IllegalArgumentException("the network returned " + outputs + " for " + x
                    + "; expected one value a sample and class, [" + x.size(0) + ", " + classes + "]");
        }
        return outputs;
    }

    private record Marginal(ClassEnergy model, Parameters parameters) implements LogDensity {
        @Override
        public Tensor at(Tensor x) {
            try (Scope scope = Scope.open()) {
                return scope.keep(model.joint(parameters, x).logSumExp(1));
            }
        }

        @Override
        public ValueAndGradient valueAndGradient(Tensor x) {
            try (Scope scope = Scope.open()) {
                Pullback f = model.marginal(model.network.inputPullback(parameters, x), x);
                Tensor ones = Tensors.full(1, f.output().dtype(), f.output().device(), x.size(0));
                return new ValueAndGradient(
                        scope.keep(f.output()), scope.keep(f.gradient().apply(ones)));
            }
        }

        @Override
        public LogDensity given(long... labels) {
            return new Given(this, labels, ScalarEnergy.bound(model.network.given(labels), parameters));
        }
    }

    /** f(xᵢ, yᵢ), the i-th sample's class yᵢ. */
    private record Given(Marginal all, long[] labels, LogDensity f) implements LogDensity {
        @Override
        public Tensor at(Tensor x) {
            return f.at(x);
        }

        @Override
        public ValueAndGradient valueAndGradient(Tensor x) {
            return f.valueAndGradient(x);
        }

        @Override
        public Tensor gradient(Tensor x) {
            return f.gradient(x);
        }

        @Override
        public LogDensity rows(long... rows) {
            return all.given(Arrays.stream(rows).map(row -> labels[(int) row]).toArray());
        }
    }
}

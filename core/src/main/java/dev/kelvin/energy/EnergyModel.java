package dev.kelvin.energy;

import dev.kelvin.nn.GaussianBase;
import dev.kelvin.nn.Layout;
import dev.kelvin.nn.Network;
import dev.kelvin.nn.Parameters;
import dev.kelvin.nn.Pullback;
import dev.kelvin.part.InvalidInputException;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.util.Optional;

/**
 * A family of tables f(x)_k = log p(x, k) + const with K components: a plain energy (K = 1), a model with classes, a time-joint
 * model.
 *
 * <pre>
 * log p(x)   = LSE_k f(x)_k − log Z       {@link #bind}(parameters).marginal()
 * log p(x|k) = f(x)_k − log Z_k           {@link #bind}(parameters).given(k)
 * p(k|x)     = softmax_k f(x)             {@link #bind}(parameters).at(x).softmax(1)
 * </pre>
 */
public record EnergyModel(Network network, Head head) {
    /** f(x) = the only output of a network. */
    public static EnergyModel plain(Network network) {
        return new EnergyModel(network, new LogitHead(1));
    }

    /** The names, sizes and first values of the network's parameters. */
    public Layout layout() {
        return network.layout();
    }

    /** K, how many components the table has. */
    public int components() {
        return head.components();
    }

    /** How many of the components are classes: all or none. */
    public int classes() {
        return head.hasLogits() && components() > 1 ? components() : 0;
    }

    /** The table with these parameters, held fixed: what is sampled, scored and drawn. */
    public JointDensity bind(Parameters parameters) {
        return new JointDensity(network, network.frozen(parameters), head);
    }

    /** The base measure, where the network is one on a Gaussian. */
    public Optional<GaussianBase> base() {
        return network instanceof GaussianBase based ? Optional.of(based) : Optional.empty();
    }

    /** The Gaussian that the model is on with these parameters, where it has a {@link #base()}. */
    public Optional<Gaussian> base(Parameters parameters) {
        return base().map(based -> new Gaussian(based.mean(parameters), based.covariance(parameters)));
    }

    /** The data's density with these parameters: the marginal; of a time-joint model, that of its last time. */
    public LogDensity density(Parameters parameters) {
        return bind(parameters).data();
    }

    /** The table at the samples, [n, K], with the way back to the parameters: what is trained. */
    public Pullback pullback(Parameters parameters, Tensor x) {
        Tensor seen = head.seen(x);
        Pullback outputs = network.pullback(parameters, seen);
        Tensor table = head.table(checked(network, outputs.output(), x, head.outputs()), seen);
        return new Pullback(table, weights -> outputs.gradient().apply(head.outputWeights(weights)));
    }

    /** f(xᵢ)_kᵢ, [n], with the way back: without the other components, where a network can compute one alone. */
    public Pullback pullback(Parameters parameters, Tensor x, long... k) {
        if (!head.hasLogits()) {
            Pullback all = pullback(parameters, x);
            Tensor components = JointDensity.index(x, k);
            return new Pullback(
                    all.output().gather(1, components.unsqueeze(1)).squeeze(1),
                    weights -> all.gradient()
                            .apply(components
                                    .oneHot(components(), weights.dtype())
                                    .times(weights.unsqueeze(1))));
        }
        Network one = components() == 1 ? network : network.given(k);
        Pullback outputs = one.pullback(parameters, x);
        return new Pullback(
                checked(one, outputs.output(), x, 1).squeeze(1),
                weights -> outputs.gradient().apply(weights.reshape(-1, 1)));
    }

    /** {@link Network#advance} after a step of the optimiser with these positives. */
    public void advance(Parameters parameters, Tensor positives) {
        try (Scope scope = Scope.open()) {
            network.advance(parameters, head.seen(positives));
        }
    }

    static Tensor checked(Network network, Tensor outputs, Tensor x, int expected) {
        if (outputs.dim() != 2 || outputs.size(1) != expected || outputs.size(0) != x.size(0)) {
            throw new InvalidInputException("the network " + network.getClass().getSimpleName() + " returned " + outputs
                    + " for " + x + "; expected [" + x.size(0) + ", " + expected + "]");
        }
        return outputs;
    }
}

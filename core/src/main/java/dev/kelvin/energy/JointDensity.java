package dev.kelvin.energy;

import dev.kelvin.nn.Network;
import dev.kelvin.nn.OutputAndGradient;
import dev.kelvin.nn.Parameters;
import dev.kelvin.nn.Pullback;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.Arrays;

/**
 * f(x)_k of every component, with parameters held fixed, and the densities that it holds. A table of one component is that component:
 * its densities are the network's own, in closed form where the network knows one.
 */
public final class JointDensity {
    private final Network network;
    private final Parameters parameters;
    private final Head head;

    JointDensity(Network network, Parameters parameters, Head head) {
        this.network = network;
        this.parameters = parameters;
        this.head = head;
    }

    /** K, how many components the table has. */
    public int components() {
        return head.components();
    }

    /** Whether the components are classes, so that the table's rows are the logits of p(y|x). */
    public boolean hasClasses() {
        return components() > 1 && head.hasLogits();
    }

    /** f at every component, [n, K]: the logits of p(k|x). */
    public Tensor at(Tensor x) {
        try (Scope scope = Scope.open()) {
            Tensor seen = head.seen(x);
            Tensor outputs = network.apply(parameters, seen);
            return scope.keep(head.table(EnergyModel.checked(network, outputs, x, head.outputs()), seen));
        }
    }

    /** LSE_k f(x)_k: all components together. */
    public LogDensity marginal() {
        return mixture(new double[components()]);
    }

    /** LSE_k scale·f(x)_k: the density of x where pairs (x, k) have exp(scale·f). */
    public LogDensity marginalOfPairs(double scale) {
        return components() == 1 || scale == 1
                ? marginal().scaled(scale)
                : new Mixture(this, new double[components()], scale);
    }

    /** The data's density. */
    public LogDensity data() {
        return mixture(head.data());
    }

    /** LSE_k (f(x)_k + weights_k). */
    public LogDensity mixture(double... logWeights) {
        requireEach(logWeights);
        return components() == 1 && logWeights[0] == 0 && head.hasLogits()
                ? new Single(this, network)
                : new Mixture(this, logWeights, 1);
    }

    /** Σ_k weights_k·f(x)_k: a component by itself, or the geometric bridge from one to another. */
    public LogDensity blend(double... weights) {
        requireEach(weights);
        return new Blend(
                this,
                new Constants(weights, 1, weights.length),
                Arrays.stream(weights).sum());
    }

    private void requireEach(double... weights) {
        if (weights.length != components()) {
            throw new IllegalArgumentException(
                    "there are " + components() + " components, and " + weights.length + " weights");
        }
    }

    /** f(xᵢ)_kᵢ with a component for each sample; it is then for a batch of as many. */
    public LogDensity given(long... k) {
        if (components() == 1) {
            return marginal();
        }
        return head.hasLogits() ? new Single(this, network.given(k), k) : new Given(this, k);
    }

    /**
     * log p(kᵢ|xᵢ)/(1 − p(kᵢ|xᵢ)) = f(xᵢ)_kᵢ − LSE_{j≠kᵢ} f(xᵢ)_j, for a batch of as many: it rises and falls with p(k|x), and
     * its gradient does not vanish where that rounds to 1.
     */
    public LogDensity logOdds(long... k) {
        return new LogOdds(this, k);
    }

    /** The components' numbers, [n], where the samples live. */
    static Tensor index(Tensor x, long... k) {
        if (k.length != x.size(0)) {
            throw new IllegalArgumentException(k.length + " components do not fit the samples " + x);
        }
        return Tensors.of(k).to(x.device());
    }

    /** Samples of p(k|x) by the table's rows, from one uniform number each; the table stays where it is. */
    public static long[] draw(java.util.random.RandomGenerator random, Tensor table, double scale) {
        try (Scope scope = Scope.open()) {
            int n = (int) table.size(0);
            double[] uniform = random.doubles(n).toArray();
            Tensor reached = table.detach().times(scale).softmax(1).cumulativeSum(1);
            Tensor below = reached.lessThan(Tensors.like(table, uniform, n, 1));
            double[] counts = below.to(table.dtype()).sum(1L).toDoubles();
            long last = table.size(1) - 1;
            return Arrays.stream(counts)
                    .mapToLong(count -> Math.min((long) count, last))
                    .toArray();
        }
    }

    private static long[] picked(long[] k, long... rows) {
        return Arrays.stream(rows).map(row -> k[(int) row]).toArray();
    }

    /** The only output of a network, which for the components k, if there are any, is one that was given them. */
    private record Single(JointDensity table, Network network, long... k) implements LogDensity {
        @Override
        public Tensor at(Tensor x) {
            return Scope.kept(() -> one(network.apply(table.parameters, x), x));
        }

        @Override
        public ValueAndGradient valueAndGradient(Tensor x) {
            OutputAndGradient both = network.outputAndInputGradient(table.parameters, x);
            return new ValueAndGradient(one(both.output(), x), both.gradient());
        }

        @Override
        public Tensor gradient(Tensor x) {
            return network.inputGradient(table.parameters, x);
        }

        private Tensor one(Tensor output, Tensor x) {
            return EnergyModel.checked(network, output, x, 1).squeeze(1);
        }

        @Override
        public LogDensity rows(long... rows) {
            return k.length == 0 ? this : table.given(picked(k, rows));
        }
    }

    /** A function of each row of the table, with the function's gradient with respect to that row. */
    private interface OfTable extends LogDensity {
        JointDensity table();

        /** [n, K] → [n]. */
        Tensor value(Tensor f);

        /** The gradient with respect to the table, [n, K], each row of which sums to {@link #total}. */
        Tensor weights(Tensor f);

        default double total() {
            return 1;
        }

        @Override
        default Tensor at(Tensor x) {
            return Scope.kept(() -> value(table().at(x)));
        }

        @Override
        default ValueAndGradient valueAndGradient(Tensor x) {
            JointDensity table = table();
            Network network = table.network;
            Head head = table.head;
            try (Scope scope = Scope.open()) {
                Tensor seen = head.seen(x.detach());
                Pullback outputs = network.inputPullback(table.parameters, seen);
                Tensor f = head.table(EnergyModel.checked(network, outputs.output(), x, head.outputs()), seen);
                Tensor weights = weights(f);
                Tensor back = outputs.gradient().apply(head.outputWeights(weights));
                return new ValueAndGradient(
                        scope.keep(value(f)), scope.keep(head.inputGradient(back, seen, weights, total())));
            }
        }
    }

    /** f(xᵢ)_kᵢ. */
    private record Given(JointDensity table, long... k) implements OfTable {
        @Override
        public Tensor value(Tensor f) {
            return f.gather(1, index(f, k).unsqueeze(1)).squeeze(1);
        }

        @Override
        public Tensor weights(Tensor f) {
            return index(f, k).oneHot(table.components(), f.dtype());
        }

        @Override
        public LogDensity rows(long... rows) {
            return table.given(picked(k, rows));
        }
    }

    /** LSE_k (scale·f_k + weight_k). A uniform mixture adds no weights and takes no number from the host, so it can be recorded. */
    private record Mixture(JointDensity table, Constants logWeights, boolean uniform, double total) implements OfTable {
        Mixture(JointDensity table, double[] logWeights, double scale) {
            this(
                    table,
                    new Constants(logWeights, 1, logWeights.length),
                    Arrays.stream(logWeights).allMatch(weight -> weight == 0),
                    scale);
        }

        private Tensor terms(Tensor f) {
            Tensor scaled = total == 1 ? f : f.times(total);
            return uniform ? scaled : scaled.plus(logWeights.like(f));
        }

        @Override
        public Tensor value(Tensor f) {
            return terms(f).logSumExp(1);
        }

        @Override
        public Tensor weights(Tensor f) {
            Tensor shares = terms(f).softmax(1);
            return total == 1 ? shares : shares.timesInPlace(total);
        }
    }

    /** Σ_k weight_k·f_k. */
    private record Blend(JointDensity table, Constants each, double total) implements OfTable {
        @Override
        public Tensor value(Tensor f) {
            return f.times(each.like(f)).sum(1L);
        }

        @Override
        public Tensor weights(Tensor f) {
            return Tensors.zerosLike(f).plus(each.like(f));
        }
    }

    /** f(xᵢ)_kᵢ − LSE_{j≠kᵢ} f(xᵢ)_j. */
    private record LogOdds(JointDensity table, long... k) implements OfTable {
        /** Leaves a component out of a sum of exponentials. */
        private static final double OUT = -1e30;

        private Tensor own(Tensor f) {
            return index(f, k).oneHot(table.components(), f.dtype());
        }

        @Override
        public double total() {
            return 0;
        }

        @Override
        public Tensor value(Tensor f) {
            Tensor own = own(f);
            return f.times(own).sum(1L).minus(f.plus(own, OUT).logSumExp(1));
        }

        @Override
        public Tensor weights(Tensor f) {
            Tensor own = own(f);
            return own.minus(f.plus(own, OUT).softmax(1));
        }

        @Override
        public LogDensity rows(long... rows) {
            return new LogOdds(table, picked(k, rows));
        }
    }
}

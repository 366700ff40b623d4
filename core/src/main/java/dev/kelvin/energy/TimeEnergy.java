package dev.kelvin.energy;

import dev.kelvin.Check;
import dev.kelvin.SettingException;
import dev.kelvin.nn.Layout;
import dev.kelvin.nn.Network;
import dev.kelvin.nn.Parameters;
import dev.kelvin.nn.Pullback;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.Arrays;
import java.util.List;

/**
 * log p(z, t) for every time t = 0..T−1 at once, t uniform: from a Gaussian reference at t = 0 to the data at t = T−1.
 *
 * <pre>
 * f₀(z) = log N(z; m, σ²I) − log T,  fₜ(z) = f₀(z) + (g₁(u) + … + gₜ(u))/√T,  u = (z − m)/σ
 * log p(z) = LSE_t fₜ(z),  p(t|z) = softmax_t f(z),  log p(z|t) = fₜ(z) + log T
 * </pre>
 *
 * <p>g are the network's T−1 outputs, at z in units of the reference. As f₀ is known and training mixes all times, the others come out normalised, without
 * a constant that nobody knows. Without the cumulative sum fₜ = f₀ + gₜ: the same family, learnt less well.
 *
 * <p>Source: paper 003, sections 3.2 and 3.5. Differs from the paper: there the network has T outputs, of which the first is
 * thrown away, and sees z itself; and the sum is not divided by √T, so that a sum of many outputs starts far from 0 and moves
 * far at every step (on the spiral JointCD's KL is a third higher, CD+CE's about the same).
 *
 * @param mean the reference's mean m; empty for 0
 * @param std its standard deviation σ; a little wider than the data
 */
public record TimeEnergy(Network network, int times, List<Double> mean, double std, boolean cumulative)
        implements EnergyModel {
    public TimeEnergy {
        Check.atLeast("times", times, 2);
        Check.positive("std", std);
        mean = List.copyOf(mean);
    }

    @Override
    public Layout layout() {
        return network.layout();
    }

    /** The data's density, log p(z | T−1), as normalised as the model is. */
    @Override
    public LogDensity bind(Parameters parameters) {
        return at(parameters, times - 1);
    }

    @Override
    public Pullback pullback(Parameters parameters, Tensor z) {
        Pullback joint = jointPullback(parameters, z);
        return new Pullback(joint.output().select(1, times - 1).plus(Math.log(times)), weights -> {
            Tensor all = Tensors.zerosLike(joint.output());
            all.select(1, times - 1).copyInPlace(weights);
            return joint.gradient().apply(all);
        });
    }

    @Override
    public void advance(Parameters parameters, Tensor positives) {
        try (Scope scope = Scope.open()) {
            network.advance(parameters, standard(positives));
        }
    }

    /** f at every time, [n, T]. */
    public Tensor joint(Parameters parameters, Tensor z) {
        try (Scope scope = Scope.open()) {
            Tensor u = standard(z);
            return scope.keep(joint(network.apply(parameters, u), u));
        }
    }

    /** f at every time, with the way back to the parameters: what is trained. */
    public Pullback jointPullback(Parameters parameters, Tensor z) {
        Tensor u = standard(z);
        Pullback outputs = network.pullback(parameters, u);
        return new Pullback(
                joint(outputs.output(), u), weights -> outputs.gradient().apply(steps(weights)));
    }

    /** log p(z), all times together. */
    public LogDensity marginal(Parameters parameters) {
        return new Mixture(this, network.frozen(parameters), new double[times]);
    }

    /** log p(z|t). */
    public LogDensity at(Parameters parameters, int t) {
        double[] weights = new double[times];
        Arrays.fill(weights, Double.NEGATIVE_INFINITY);
        weights[t] = Math.log(times);
        return new Mixture(this, network.frozen(parameters), weights);
    }

    /** log of Σ_t p(z|t) w(t), for other weights than the uniform ones of training; they need not sum to 1. */
    public LogDensity mixture(Parameters parameters, double... weights) {
        return mixtures(parameters, List.of(weights)).get(0);
    }

    /** The same for each of several weights. */
    public List<LogDensity> mixtures(Parameters parameters, List<double[]> weights) {
        Parameters frozen = network.frozen(parameters);
        return weights.stream().map(each -> weighted(frozen, each)).toList();
    }

    private LogDensity weighted(Parameters frozen, double[] weights) {
        if (weights.length != times) {
            throw new IllegalArgumentException("there are " + times + " times, and " + weights.length + " weights");
        }
        return new Mixture(
                this,
                frozen,
                Arrays.stream(weights).map(weight -> Math.log(weight * times)).toArray());
    }

    /** log p(zᵢ|tᵢ) with a time for each sample, the i-th of n. */
    public LogDensity each(Parameters parameters, int[] t) {
        double[] weights = new double[t.length * times];
        Arrays.fill(weights, Double.NEGATIVE_INFINITY);
        for (int i = 0; i < t.length; i++) {
            weights[i * times + t[i]] = Math.log(times);
        }
        return new Mixture(this, network.frozen(parameters), weights);
    }

    /** f from the network's outputs at u. */
    private Tensor joint(Tensor outputs, Tensor u) {
        if (outputs.dim() != 2 || outputs.size(1) != times - 1) {
            throw new IllegalArgumentException("the network returned " + outputs + "; expected " + (times - 1)
                    + " numbers a sample, one for each time after the first");
        }
        Tensor first = reference(u).unsqueeze(1);
        Tensor later = (cumulative ? outputs.cumulativeSum(1).timesInPlace(share()) : outputs).plus(first);
        return Tensors.concat(1, first, later);
    }

    /** What an output counts for in the cumulative sum: its spread at the start is so the same for any T. */
    private double share() {
        return 1 / Math.sqrt(times);
    }

    /** log N(z; m, σ²I) − log T. */
    private Tensor reference(Tensor u) {
        long width = u.count() / Math.max(1, u.size(0));
        double constant = -0.5 * width * (Constants.LOG_2PI + 2 * Math.log(std)) - Math.log(times);
        return u.square().sumPerSample().times(-0.5).plus(constant);
    }

    /** u = (z − m)/σ. */
    private Tensor standard(Tensor z) {
        return (mean.isEmpty() ? z : z.minus(meanLike(z))).over(std);
    }

    /** The reference's mean, [1, ...], to go with samples. */
    public Tensor meanLike(Tensor z) {
        long width = z.count() / Math.max(1, z.size(0));
        if (mean.size() != width) {
            throw new SettingException(
                    "reference.mean", "must have " + width + " numbers, as the data has, found " + mean.size());
        }
        long[] shape = z.shape();
        shape[0] = 1;
        double[] numbers = mean.stream().mapToDouble(Double::doubleValue).toArray();
        return Constants.like(z, numbers, shape);
    }

    /** From weights on f to weights on the network's outputs: output s counts wherever t ≥ s. */
    private Tensor steps(Tensor weights) {
        Tensor later = weights.narrow(1, 1, times - 1);
        if (!cumulative) {
            return later;
        }
        Tensor total = later.sum(1L).unsqueeze(1);
        return later.plus(total).minus(later.cumulativeSum(1)).timesInPlace(share());
    }

    /** log Σ_t exp(f_t + weight_t), with parameters that are frozen already and weights [T] for all samples or [n, T]. */
    private static final class Mixture implements LogDensity {
        private final TimeEnergy model;
        private final Parameters parameters;
        private final double[] logs;
        private final Constants weights;
        private final boolean uniform;

        Mixture(TimeEnergy model, Parameters parameters, double[] weights) {
            this.model = model;
            this.parameters = parameters;
            this.logs = weights;
            this.weights = new Constants(weights, weights.length / model.times, model.times);
            uniform = Arrays.stream(weights).allMatch(weight -> weight == 0);
        }

        @Override
        public LogDensity rows(long... rows) {
            if (logs.length == model.times) {
                return this;
            }
            double[] chosen = new double[rows.length * model.times];
            for (int i = 0; i < rows.length; i++) {
                System.arraycopy(logs, (int) rows[i] * model.times, chosen, i * model.times, model.times);
            }
            return new Mixture(model, parameters, chosen);
        }

        private Tensor weighted(Tensor joint) {
            return uniform ? joint : joint.plus(weights.like(joint));
        }

        @Override
        public Tensor at(Tensor z) {
            try (Scope scope = Scope.open()) {
                return scope.keep(weighted(model.joint(parameters, z)).logSumExp(1));
            }
        }

        @Override
        public ValueAndGradient valueAndGradient(Tensor z) {
            try (Scope scope = Scope.open()) {
                Tensor u = model.standard(z.detach());
                Pullback outputs = model.network.inputPullback(parameters, u);
                Tensor terms = weighted(model.joint(outputs.output(), u));
                Tensor shares = terms.softmax(1);
                // the reference is in every term, and the shares sum to 1
                Tensor gradient = outputs.gradient()
                        .apply(model.steps(shares))
                        .addInPlace(u, -1)
                        .timesInPlace(1 / model.std);
                return new ValueAndGradient(scope.keep(terms.logSumExp(1)), scope.keep(gradient));
            }
        }
    }
}

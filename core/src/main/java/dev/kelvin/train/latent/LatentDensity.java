package dev.kelvin.train.latent;

import dev.kelvin.energy.EnergyModel;
import dev.kelvin.energy.JointDensity;
import dev.kelvin.energy.LatentModel;
import dev.kelvin.energy.PowerPosterior;
import dev.kelvin.nn.Layout;
import dev.kelvin.nn.Network;
import dev.kelvin.nn.Parameters;
import dev.kelvin.nn.Pullback;
import dev.kelvin.sample.anneal.MarginalLikelihood;
import dev.kelvin.sample.chain.ChainRun;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.NoGrad;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.function.Supplier;

/**
 * A latent model with its parameters: what it says of samples, and what it makes of latent vectors.
 *
 * @param prior the parameters of the prior, which may change while the model learns
 * @param generator the parameters of the generator
 * @param settings how chains on the posterior run
 */
public record LatentDensity(
        LatentModel model, Supplier<Parameters> prior, Supplier<Parameters> generator, PosteriorChains settings) {
    /** As many images as a generator makes with little memory. */
    private static final int AT_ONCE = 256;

    /** log p(x, z) at the ends of posterior chains, of samples x, as a model's only component. */
    public JointDensity scores() {
        return new Score(model, prior.get(), generator.get(), settings).table();
    }

    /** Ends of posterior chains for samples, [n, size]. */
    public Tensor encoded(Key key, Tensor x) {
        try (Scope scope = Scope.open();
                PowerChains one = new PowerChains(model, prior.get(), generator.get(), settings, 0)) {
            return scope.keep(one.run(key, x, false, 1).z());
        }
    }

    /** g(z). */
    public Tensor generated(Tensor z) {
        try (NoGrad noGrad = NoGrad.open()) {
            return model.generator().apply(generator.get(), z);
        }
    }

    /** What the generator makes of the Gaussian, without the learnt prior. */
    public Tensor generatedOfGaussian(Key key, int count) {
        try (Scope scope = Scope.open()) {
            Tensor z = model.gaussian(key, prior.get().flat(), count);
            List<Tensor> images = new ArrayList<>();
            for (int from = 0; from < count; from += AT_ONCE) {
                images.add(generated(z.narrow(0, from, Math.min(AT_ONCE, count - from))));
            }
            return scope.keep(Tensors.concat(0, images));
        }
    }

    /** log p(x) of samples by thermodynamic integration and by annealed importance sampling, from draws of the prior. */
    public MarginalLikelihood likelihood(
            Key key, Tensor x, Tensor draws, MarginalLikelihood.Settings how, IntConsumer listener) {
        try (Scope scope = Scope.open()) {
            return MarginalLikelihood.of(
                    key,
                    model.prior().density(prior.get()),
                    model.likelihood(generator.get(), x),
                    draws,
                    how,
                    listener);
        }
    }

    /**
     * What a latent model says of samples: the mean of log p(x, z) = log p(x|z) + f(z) + log N(z; 0, σ₀²I) over the ends of a few
     * posterior chains for each, an unnormalised stand-in for log p(x). Chains draw by the row, so that an image has another score,
     * by some nats, where rows come in another order; it has no gradient.
     *
     * <p>Source: Pang et al. 2020, section 4.4, where it detects anomalies.
     */
    private record Score(LatentModel model, Parameters alpha, Parameters beta, PosteriorChains settings)
            implements Network {
        private static final int CHAINS = 4;
        private static final Key KEY = Key.of(0x5c03e);

        /** As a model's only component. */
        JointDensity table() {
            Layout none = layout();
            return EnergyModel.plain(this)
                    .bind(new Parameters(none, Tensors.zerosLike(alpha.flat().narrow(0, 0, 0))));
        }

        @Override
        public Layout layout() {
            return new Layout(List.of());
        }

        @Override
        public Tensor apply(Parameters nothing, Tensor x) {
            try (Scope scope = Scope.open()) {
                Tensor rows = PowerChains.repeated(x, CHAINS);
                PowerPosterior density = model.posterior(alpha, beta, rows, PowerChains.perRow(new double[] {1}, rows));
                Key[] keys = KEY.split(2);
                Tensor start = model.gaussian(keys[0], x, rows.size(0));
                Tensor z = ChainRun.inHalves(keys[1], settings.kernel(), density, start, settings.steps())
                        .x();
                Tensor each = density.at(z).reshape(CHAINS, x.size(0));
                return scope.keep(each.mean(0L).to(x.dtype()).unsqueeze(1));
            }
        }

        @Override
        public Pullback inputPullback(Parameters nothing, Tensor x) {
            throw new UnsupportedOperationException(
                    "the score of a latent model comes from chains and has no gradient with respect to the sample");
        }
    }
}

package dev.kelvin.train.latent;

import dev.kelvin.energy.JointDensity;
import dev.kelvin.energy.LatentModel;
import dev.kelvin.nn.Parameters;
import dev.kelvin.sample.anneal.MarginalLikelihood;
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
        LatentModel model,
        Supplier<Parameters> prior,
        Supplier<Parameters> generator,
        LatentLearner.Settings settings) {
    /** As many images as a generator makes with little memory. */
    private static final int AT_ONCE = 256;

    /** log p(x, z) at the ends of posterior chains, of samples x, as a model's only component. */
    public JointDensity scores() {
        return new PosteriorScore(model, prior.get(), generator.get(), settings).table();
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
            Tensor like = prior.get().flat();
            Tensor z = Tensors.normal(key, like.dtype(), like.device(), count, settings.size())
                    .timesInPlace(settings.std());
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
}

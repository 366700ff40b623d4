package dev.kelvin.energy;

import dev.kelvin.nn.Network;
import dev.kelvin.nn.Parameters;
import dev.kelvin.part.Check;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;

/**
 * An energy-based prior of latent vectors and a generator of samples from them.
 *
 * <pre>
 * p_α(z) ∝ exp(f_α(z))·N(z; 0, σ₀²I)         prior, {@link TiltedGaussianHead}
 * p_β(x|z) = N(x; g_β(z), σ²I)
 * p(x) = ∫ p_β(x|z) p_α(z) dz
 * </pre>
 *
 * <p>Source: Pang et al. 2020, as used by Raj and Girolami 2024, equations 1 and 2.
 *
 * @param size the dimension of a latent vector
 * @param noise σ
 */
public record LatentModel(EnergyModel prior, Network generator, long size, double noise) {
    public LatentModel {
        Check.positive("noise", noise);
    }

    /** Draws of N(0, σ₀²I), which the prior tilts, in the numbers of another tensor. */
    public Tensor gaussian(Key key, Tensor like, long count) {
        double std = ((TiltedGaussianHead) prior.head()).std();
        return Tensors.normal(key, like.dtype(), like.device(), count, size).timesInPlace(std);
    }

    /** log p(x|z) of these samples, one for each latent vector. */
    public Likelihood likelihood(Parameters beta, Tensor x) {
        return new Likelihood(generator, generator.frozen(beta), x, noise);
    }

    /** log p(z) + t·log p(x|z) + const of these samples, each at its own t, [n] in double. */
    public PowerPosterior posterior(Parameters alpha, Parameters beta, Tensor x, Tensor t) {
        return new PowerPosterior(prior.density(alpha), likelihood(beta, x), t);
    }
}

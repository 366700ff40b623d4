package dev.kelvin.energy;

import dev.kelvin.nn.Network;
import dev.kelvin.nn.Parameters;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;

/**
 * log p(x|z) = log N(x; g(z), σ²I) as a density of z, g being a generator: for a batch of as many latent vectors as there
 * are samples x, each for its own.
 *
 * @param x [n, ...]
 * @param std σ
 */
public record Likelihood(Network generator, Parameters parameters, Tensor x, double std) implements LogDensity {
    @Override
    public Tensor at(Tensor z) {
        return Scope.kept(() -> of(generator.apply(parameters, z)));
    }

    /** log p(x|z) given g(z). */
    public Tensor of(Tensor images) {
        long width = x.count() / Math.max(1, x.size(0));
        double constant = -0.5 * width * (Constants.LOG_2PI + 2 * Math.log(std));
        return images.minus(x).square().sumPerSample().times(-0.5 / (std * std)).plus(constant);
    }

    /** ∂ log p(x|z)/∂g(z) = (x − g(z))/σ². */
    public Tensor back(Tensor images) {
        return x.minus(images).timesInPlace(1 / (std * std));
    }

    @Override
    public Likelihood rows(long... rows) {
        return new Likelihood(generator, parameters, x.rows(rows), std);
    }
}

package dev.kelvin.energy;

import dev.kelvin.part.Check;
import dev.kelvin.tensor.Tensor;

/**
 * One component, a Gaussian tilted by the network: f(z) = g(z) + log N(z; 0, σ²I), so that exp(f) has a tail whatever the
 * network says. The prior of latent vectors.
 *
 * @param std σ
 */
public record TiltedGaussianHead(double std) implements Head {
    public TiltedGaussianHead {
        Check.positive("std", std);
    }

    @Override
    public int components() {
        return 1;
    }

    @Override
    public Tensor table(Tensor outputs, Tensor z) {
        return outputs.plus(logNormal(z).unsqueeze(1));
    }

    /** log N(z; 0, σ²I). */
    private Tensor logNormal(Tensor z) {
        long width = z.count() / Math.max(1, z.size(0));
        double constant = -0.5 * width * (Constants.LOG_2PI + 2 * Math.log(std));
        return z.square().sumPerSample().times(-0.5 / (std * std)).plus(constant);
    }

    @Override
    public Tensor inputGradient(Tensor gradient, Tensor z, Tensor weights, double total) {
        return gradient.plus(z, -total / (std * std));
    }
}

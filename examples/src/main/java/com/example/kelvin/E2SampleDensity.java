package com.example.kelvin;

import dev.kelvin.energy.LogDensity;
import dev.kelvin.energy.Support;
import dev.kelvin.sample.posterior.Posterior;
import dev.kelvin.sample.posterior.PosteriorSampler;
import dev.kelvin.tensor.Tensor;

/** Samples a log-density of one's own by HMC, and prints means, errors, effective draws and R-hat. */
public final class E2SampleDensity {
    private E2SampleDensity() {}

    /** Ten measurements with mean 1.2 and variance 0.5, a Gaussian's mean and sd unknown, flat priors. */
    public static Posterior sample(long seed) {
        LogDensity density = x -> { // rows (mean, sd), [n, 2] -> [n]
            Tensor mean = x.select(1, 0);
            Tensor sd = x.select(1, 1);
            Tensor squares = mean.minus(1.2).square().plus(0.5).over(sd.square());
            return squares.times(-5).minus(sd.log().times(10));
        };
        PosteriorSampler sampler = PosteriorSampler.of(density, 2)
                .withSupport(1, Support.positive())
                .withNames("mean", "sd");
        return sampler.run(seed);
    }

    /** Prints the table and what is wrong, if anything is. */
    public static void main(String[] arguments) {
        Posterior posterior = sample(0);
        System.out.print(posterior.summary());
        posterior.warnings().forEach(System.out::println);
    }
}

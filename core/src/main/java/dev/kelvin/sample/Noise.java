package dev.kelvin.sample;

import dev.kelvin.part.Check;
import java.util.OptionalDouble;

/** The noise σ of a Langevin step of size h, given itself or by the temperature T = σ²/(2h) that it is tied to. */
final class Noise {
    /** What a step and a noise of a few digits may be off by: .1²/(2·.005) is not quite 1. */
    private static final double ROUNDING = 1e-9;

    private Noise() {}

    static void requireOne(OptionalDouble noise, OptionalDouble temperature) {
        Check.require(
                noise.isEmpty() || temperature.isEmpty(),
                "temperature",
                "and noise say the same, T = noise²/(2·stepSize); give only one");
    }

    /** The temperature that the noise is tied to, which is 1 where neither is given; empty where the noise is. */
    static OptionalDouble tied(OptionalDouble noise, OptionalDouble temperature) {
        return noise.isEmpty() ? OptionalDouble.of(temperature.orElse(1)) : temperature;
    }

    /** σ. */
    static double of(double stepSize, OptionalDouble noise, OptionalDouble temperature) {
        return noise.orElse(Math.sqrt(2 * stepSize * temperature.orElse(1)));
    }

    /** σ²/(2h), 1 where it is that but for rounding, or the temperature that was given; empty without noise. */
    static OptionalDouble temperature(double stepSize, OptionalDouble noise, OptionalDouble temperature) {
        double sigma = noise.orElse(Double.NaN);
        double t = noise.isPresent() ? sigma * sigma / (2 * stepSize) : temperature.orElse(1);
        boolean one = noise.isPresent() && Math.abs(t - 1) < ROUNDING;
        return t > 0 ? OptionalDouble.of(one ? 1 : t) : OptionalDouble.empty();
    }

    /** A noise of its own at another step size: the one at which the temperature stays. */
    static OptionalDouble at(double other, double stepSize, OptionalDouble noise) {
        return noise.isPresent() ? OptionalDouble.of(noise.getAsDouble() * Math.sqrt(other / stepSize)) : noise;
    }
}

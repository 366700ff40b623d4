package dev.kelvin.sample;

import dev.kelvin.part.Check;
import dev.kelvin.part.Words;
import java.util.OptionalDouble;

/** The noise σ of a Langevin step of size h, given itself or by the temperature T = σ²/(2h) that it is tied to. */
final class Noise {
    /** What a step and a noise of a few digits may be off by: .1²/(2·.005) is not quite 1. */
    private static final double ROUNDING = 1e-9;

    private Noise() {}

    /** Checks the settings that h and σ are given by; σ may be 0 only if {@code noiseless}. */
    static void check(double stepSize, OptionalDouble noise, OptionalDouble temperature, boolean noiseless) {
        Check.all(
                () -> Check.positive("stepSize", stepSize),
                () -> noise.ifPresent(sigma -> {
                    if (noiseless) {
                        Check.notNegative("noise", sigma);
                    } else {
                        Check.positive("noise", sigma);
                    }
                }),
                () -> Check.positive("temperature", temperature),
                () -> Check.require(
                        noise.isEmpty() || temperature.isEmpty(),
                        "temperature",
                        "and noise say the same, T = noise²/(2·stepSize); give only one"));
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

    /** A noise that is not tied to h, changed for another h so that the temperature σ²/(2h) stays. */
    static OptionalDouble at(double other, double stepSize, OptionalDouble noise) {
        return noise.isPresent() ? OptionalDouble.of(noise.getAsDouble() * Math.sqrt(other / stepSize)) : noise;
    }

    /** A step size in words. */
    static String words(double stepSize) {
        return "step size " + Words.number(stepSize);
    }

    /** A temperature in words; none is a kernel without noise. */
    static String words(OptionalDouble temperature) {
        return temperature.isPresent() ? " at temperature " + Words.number(temperature.getAsDouble()) : " and no noise";
    }
}

package dev.kelvin.recipe;

import dev.kelvin.Check;
import dev.kelvin.sample.Kernel;
import dev.kelvin.sample.Limits;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** What moves chains. */
public sealed interface KernelSpec {
    Kernel<?> kernel();

    /** T of the density exp(f/T) that the chains sample; none where they sample nothing. */
    OptionalDouble targetTemperature();

    /** Has either a noise or a temperature. */
    @Doc("unadjusted Langevin: x + h∇f(x) + σξ")
    record Langevin(
            @Doc("h, the step size") double stepSize,

            @Doc(value = "σ, the noise, if it is not tied to h", otherwise = "√(2·stepSize·temperature)")
            OptionalDouble noise,

            @Doc(value = "T, the temperature that σ is tied to", otherwise = "1, if noise is not given")
            OptionalDouble temperature,

            @Doc(value = "the largest size of each coordinate of ∇f", otherwise = "no limit")
            OptionalDouble clip,

            @Doc(value = "the least and the largest coordinate, [low, high]", otherwise = "no limits")
            Optional<List<Double>> clamp,

            @Doc("add the noise before ∇f is taken") @Default("false")
            boolean noiseFirst)
            implements KernelSpec {
        public Langevin {
            OptionalDouble givenTemperature = temperature;
            Optional<List<Double>> range = clamp.map(List::copyOf);
            Checks.all(
                    () -> Check.positive("stepSize", stepSize),
                    () -> noise.ifPresent(given -> Check.notNegative("noise", given)),
                    () -> Checks.positive("temperature", givenTemperature),
                    () -> Checks.positive("clip", clip),
                    () -> checkClamp(range),
                    () -> Checks.require(
                            noise.isEmpty() || givenTemperature.isEmpty(),
                            "temperature",
                            "and noise say the same, T = noise²/(2·stepSize); give only one"));
            temperature = noise.isEmpty() ? OptionalDouble.of(temperature.orElse(1)) : temperature;
            clamp = range;
        }

        @Override
        public Kernel<?> kernel() {
            double tied = Math.sqrt(2 * stepSize * temperature.orElse(1));
            return new dev.kelvin.sample.Langevin(stepSize, noise.orElse(tied), noiseFirst, new Limits(clip, clamp));
        }

        @Override
        public OptionalDouble targetTemperature() {
            double sigma = noise.orElse(Double.NaN);
            double t = noise.isPresent() ? sigma * sigma / (2 * stepSize) : temperature.orElse(1);
            return t > 0 ? OptionalDouble.of(t) : OptionalDouble.empty();
        }
    }

    @Doc("gradient descent on the energy −f, without noise: x + h∇f(x)")
    record GradientDescent(
            @Doc("h, the step size") double stepSize,

            @Doc(value = "the largest size of each coordinate of ∇f", otherwise = "no limit")
            OptionalDouble clip,

            @Doc(value = "the least and the largest coordinate, [low, high]", otherwise = "no limits")
            Optional<List<Double>> clamp)
            implements KernelSpec {
        public GradientDescent {
            Optional<List<Double>> range = clamp.map(List::copyOf);
            Checks.all(
                    () -> Check.positive("stepSize", stepSize),
                    () -> Checks.positive("clip", clip),
                    () -> checkClamp(range));
            clamp = range;
        }

        @Override
        public Kernel<?> kernel() {
            return new dev.kelvin.sample.GradientDescent(stepSize, new Limits(clip, clamp));
        }

        @Override
        public OptionalDouble targetTemperature() {
            return OptionalDouble.empty();
        }
    }

    @Doc("Metropolis-adjusted Langevin, exact for exp(f/T)")
    record Mala(
            @Doc("h, the step size") double stepSize,

            @Doc("T, the temperature") @Default("1") double temperature) implements KernelSpec {
        public Mala {
            Checks.all(() -> Check.positive("stepSize", stepSize), () -> Check.positive("temperature", temperature));
        }

        @Override
        public Kernel<?> kernel() {
            return new dev.kelvin.sample.Mala(stepSize, temperature);
        }

        @Override
        public OptionalDouble targetTemperature() {
            return OptionalDouble.of(temperature);
        }
    }

    private static void checkClamp(Optional<List<Double>> clamp) {
        clamp.ifPresent(range -> {
            Checks.finite("clamp", range);
            Checks.require(
                    range.size() == 2 && range.get(0) < range.get(1),
                    "clamp",
                    "takes two numbers, [low, high], the first below the second");
        });
    }
}

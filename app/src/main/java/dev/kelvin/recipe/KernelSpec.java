package dev.kelvin.recipe;

import dev.kelvin.Check;
import dev.kelvin.Default;
import dev.kelvin.Doc;
import dev.kelvin.sample.Kernel;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** What moves chains. */
public sealed interface KernelSpec {
    /** The kernels whose step size can be found from the share of proposals that they accept. */
    List<String> ADAPTABLE = List.of("mala", "hmc");

    Kernel<?> kernel();

    /** T of the density exp(f/T) that the chains sample; none where they sample nothing. */
    OptionalDouble targetTemperature();

    /** Whether its step size can be adapted to an acceptance. */
    default boolean adaptable() {
        return this instanceof Mala || this instanceof Hmc;
    }

    /** The kernel and its step size, told to somebody who has not read the recipe. */
    String words();

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
            boolean noiseFirst,

            @Doc(value = "how the step size falls as a chain runs", otherwise = "it stays")
            Optional<DecaySpec> anneal)
            implements KernelSpec {
        public Langevin {
            OptionalDouble givenTemperature = temperature;
            Optional<List<Double>> range = clamp.map(List::copyOf);
            Check.all(
                    () -> Check.positive("stepSize", stepSize),
                    () -> noise.ifPresent(given -> Check.notNegative("noise", given)),
                    () -> Check.positive("temperature", givenTemperature),
                    () -> Check.positive("clip", clip),
                    () -> checkClamp(range),
                    () -> requireOne(noise, givenTemperature));
            temperature = noise.isEmpty() ? OptionalDouble.of(temperature.orElse(1)) : temperature;
            clamp = range;
        }

        @Override
        public Kernel<?> kernel() {
            return new dev.kelvin.sample.Langevin(
                    stepSize, noise, temperature, clip, clamp, noiseFirst, anneal.map(DecaySpec::decay));
        }

        @Override
        public String words() {
            return "Langevin dynamics with " + step(stepSize)
                    + (anneal.isPresent() ? " that falls as the chain runs" : "")
                    + at(targetTemperature());
        }

        @Override
        public OptionalDouble targetTemperature() {
            return temperatureOf(stepSize, noise, temperature);
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
            Check.all(
                    () -> Check.positive("stepSize", stepSize),
                    () -> Check.positive("clip", clip),
                    () -> checkClamp(range));
            clamp = range;
        }

        @Override
        public Kernel<?> kernel() {
            return new dev.kelvin.sample.GradientDescent(stepSize, clip, clamp);
        }

        @Override
        public String words() {
            return "gradient descent with " + step(stepSize) + at(targetTemperature());
        }

        @Override
        public OptionalDouble targetTemperature() {
            return OptionalDouble.empty();
        }
    }

    /** Has either a noise or a temperature. */
    @Doc("Metropolis-adjusted Langevin, exact for exp(f/T)")
    record Mala(
            @Doc("h, the step size") double stepSize,

            @Doc(
                    value = "σ, the noise, if it is not tied to h by a temperature",
                    otherwise = "√(2·stepSize·temperature)")
            OptionalDouble noise,

            @Doc(value = "T, the temperature that σ is tied to", otherwise = "1, if noise is not given")
            OptionalDouble temperature,

            @Doc(
                    value = "paper 001's untied form: accept for exp(f/mhTemperature), whatever noise²/(2·stepSize) is",
                    otherwise = "tied, noise²/(2·stepSize)")
            OptionalDouble mhTemperature)
            implements KernelSpec {
        public Mala {
            OptionalDouble givenTemperature = temperature;
            Check.all(
                    () -> Check.positive("stepSize", stepSize),
                    () -> Check.positive("noise", noise),
                    () -> Check.positive("temperature", givenTemperature),
                    () -> Check.positive("mhTemperature", mhTemperature),
                    () -> requireOne(noise, givenTemperature));
            temperature = noise.isEmpty() ? OptionalDouble.of(temperature.orElse(1)) : temperature;
        }

        @Override
        public Kernel<?> kernel() {
            return new dev.kelvin.sample.Mala(
                    stepSize, noise, temperature, mhTemperature, OptionalDouble.empty(), Optional.empty());
        }

        @Override
        public OptionalDouble targetTemperature() {
            return mhTemperature.isPresent() ? mhTemperature : temperatureOf(stepSize, noise, temperature);
        }

        @Override
        public String words() {
            return "MALA with " + step(stepSize) + at(targetTemperature());
        }
    }

    @Doc("MALA that heats itself until its proposals are accepted")
    record TemperedMala(
            @Doc("h, the step size") double stepSize,

            @Doc("heat when the mean acceptance is at most this") @Default("0.5")
            double threshold,

            @Doc("what the temperature is multiplied by then") @Default("10")
            double factor)
            implements KernelSpec {
        public TemperedMala {
            Check.all(
                    () -> Check.positive("stepSize", stepSize),
                    () -> Check.within("threshold", threshold, 0, 1),
                    () -> Check.within("factor", factor, 1, Double.MAX_VALUE));
        }

        @Override
        public Kernel<?> kernel() {
            return new dev.kelvin.sample.TemperedMala(stepSize, threshold, factor, OptionalDouble.empty());
        }

        @Override
        public OptionalDouble targetTemperature() {
            return OptionalDouble.of(1);
        }

        @Override
        public String words() {
            return "MALA with " + step(stepSize) + " that heats itself where its proposals are refused";
        }
    }

    @Doc("preconditioned Langevin: each coordinate's step follows the recent size of its gradient")
    record Psgld(
            @Doc("h, the step size") double stepSize,

            @Doc("α, how long gradients are remembered; 0.9 on images") @Default("0.99")
            double decay,

            @Doc("λ, added to their root mean square; 1 on images") @Default("1e-5")
            double damping,

            @Doc(value = "σ, one noise for all coordinates", otherwise = "√(2·stepSize·G), G = 1/(λ + √V)")
            OptionalDouble noise)
            implements KernelSpec {
        public Psgld {
            Check.all(
                    () -> Check.positive("stepSize", stepSize),
                    () -> Check.within("decay", decay, 0, 1),
                    () -> Check.positive("damping", damping),
                    () -> noise.ifPresent(given -> Check.notNegative("noise", given)));
        }

        @Override
        public Kernel<?> kernel() {
            return new dev.kelvin.sample.Psgld(
                    stepSize, decay, damping, noise, OptionalDouble.empty(), Optional.empty());
        }

        @Override
        public OptionalDouble targetTemperature() {
            return noise.isEmpty() ? OptionalDouble.of(1) : OptionalDouble.empty();
        }

        @Override
        public String words() {
            return "preconditioned Langevin dynamics with " + step(stepSize);
        }
    }

    @Doc("Hamiltonian Monte Carlo, exact for exp(f/T)")
    record Hmc(
            @Doc("ε, the leapfrog step") double stepSize,

            @Doc("leapfrog steps a proposal") @Default("10") int leaps,

            @Doc("the share by which ε is varied at random") @Default("0.1")
            double jitter,

            @Doc("the mass of each coordinate; all 1 if the list is empty") @Default("[]")
            List<Double> mass,

            @Doc("T, the temperature") @Default("1") double temperature)
            implements KernelSpec {
        public Hmc {
            List<Double> masses = List.copyOf(mass);
            Check.all(
                    () -> Check.positive("stepSize", stepSize),
                    () -> Check.atLeast("leaps", leaps, 1),
                    () -> Check.within("jitter", jitter, 0, 1),
                    () -> masses.forEach(each -> Check.positive("mass", each)),
                    () -> Check.positive("temperature", temperature));
            mass = masses;
        }

        @Override
        public Kernel<?> kernel() {
            return new dev.kelvin.sample.Hmc(stepSize, leaps, jitter, mass, temperature);
        }

        @Override
        public OptionalDouble targetTemperature() {
            return OptionalDouble.of(temperature);
        }

        @Override
        public String words() {
            return "Hamiltonian Monte Carlo with " + leaps + " leaps and " + step(stepSize) + at(targetTemperature());
        }
    }

    @Doc("Stein variational gradient descent: all chains are one set of particles that repel each other")
    record Svgd(
            @Doc("h, the step size; 0.09 in paper 002") double stepSize,

            @Doc("how the particles move") @Default("adagrad")
            dev.kelvin.sample.Svgd.Update update,

            @Doc(value = "the largest size of each coordinate of ∇f", otherwise = "no limit")
            OptionalDouble clip,

            @Doc(value = "the least and the largest coordinate, [low, high]", otherwise = "no limits")
            Optional<List<Double>> clamp)
            implements KernelSpec {
        public Svgd {
            Optional<List<Double>> range = clamp.map(List::copyOf);
            Check.all(
                    () -> Check.positive("stepSize", stepSize),
                    () -> Check.positive("clip", clip),
                    () -> checkClamp(range));
            clamp = range;
        }

        @Override
        public Kernel<?> kernel() {
            return new dev.kelvin.sample.Svgd(stepSize, update, clip, clamp);
        }

        @Override
        public OptionalDouble targetTemperature() {
            return OptionalDouble.of(1);
        }

        @Override
        public String words() {
            return "Stein variational gradient descent with " + step(stepSize);
        }
    }

    @Doc("replica exchange: chains at several temperatures that change places; as exact as the kernel inside")
    record ReplicaExchange(
            @Doc("the kernel that moves each replica") KernelSpec inner,

            @Doc("temperatures, in equal ratios from 1 to the hottest") @Default("6")
            int rungs,

            @Doc("the hottest temperature") @Default("30") double hottest,

            @Doc("steps between two exchanges") @Default("5")
            int steps)
            implements KernelSpec {
        public ReplicaExchange {
            Check.all(
                    () -> Check.require(
                            inner == null || inner.targetTemperature().orElse(0) == 1,
                            "inner",
                            "must sample at temperature 1; the rungs heat it"),
                    () -> Check.atLeast("rungs", rungs, 2),
                    () -> Check.require(
                            hottest > 1 && hottest < Double.POSITIVE_INFINITY, "hottest", "must be above 1"),
                    () -> Check.atLeast("steps", steps, 1));
        }

        @Override
        public Kernel<?> kernel() {
            return new dev.kelvin.sample.ReplicaExchange(inner.kernel(), rungs, hottest, steps);
        }

        @Override
        public OptionalDouble targetTemperature() {
            return inner.targetTemperature();
        }

        @Override
        public String words() {
            return "replica exchange over " + rungs + " temperatures up to " + ScalarText.format(hottest)
                    + ", inside it " + inner.words();
        }
    }

    private static String step(double stepSize) {
        return "step size " + ScalarText.format(stepSize);
    }

    private static String at(OptionalDouble temperature) {
        return temperature.isPresent()
                ? " at temperature " + ScalarText.format(temperature.getAsDouble())
                : " and no noise";
    }

    private static void requireOne(OptionalDouble noise, OptionalDouble temperature) {
        Check.require(
                noise.isEmpty() || temperature.isEmpty(),
                "temperature",
                "and noise say the same, T = noise²/(2·stepSize); give only one");
    }

    /** σ²/(2h), or the temperature that was given, or 1; none without noise. */
    private static OptionalDouble temperatureOf(double stepSize, OptionalDouble noise, OptionalDouble temperature) {
        double sigma = noise.orElse(Double.NaN);
        double t = noise.isPresent() ? sigma * sigma / (2 * stepSize) : temperature.orElse(1);
        return t > 0 ? OptionalDouble.of(t) : OptionalDouble.empty();
    }

    private static void checkClamp(Optional<List<Double>> clamp) {
        clamp.ifPresent(range -> {
            Check.finite("clamp", range);
            Check.require(
                    range.size() == 2 && range.get(0) < range.get(1),
                    "clamp",
                    "takes two numbers, [low, high], the first below the second");
        });
    }
}

package dev.kelvin.run;

import dev.kelvin.energy.LogDensity;
import dev.kelvin.energy.Target;
import dev.kelvin.energy.ValueAndGradient;
import dev.kelvin.part.Words;
import dev.kelvin.recipe.Recipes;
import dev.kelvin.sample.ChainState;
import dev.kelvin.sample.Hmc;
import dev.kelvin.sample.JitteredHmc;
import dev.kelvin.sample.Kernel;
import dev.kelvin.sample.KernelTraits;
import dev.kelvin.sample.Mala;
import dev.kelvin.sample.StepSized;
import dev.kelvin.sample.chain.ChainRun;
import dev.kelvin.sample.chain.Chains;
import dev.kelvin.sample.warmup.AdaptiveWarmUp;
import dev.kelvin.sample.warmup.WarmUp;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.train.loop.DivergedException;
import dev.kelvin.yaml.UserException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Chains on one density by one kernel, timed and diagnosed.
 *
 * @param stepSize the step size that was found, where the kernel named none
 * @param seconds of the draws alone, without burn-in
 * @param gradients evaluations of ∇f for a batch of all chains, in the draws
 */
public record Sampling(
        Subject subject,
        Kernel<?> kernel,
        Chains.Length length,
        ChainDiagnostics diagnosis,
        OptionalDouble stepSize,
        double seconds,
        long gradients) {
    /** What is sampled, and where chains start. {@code truth} is what is known of it. */
    public record Subject(String name, String words, LogDensity density, Optional<Target> truth, Tensor start) {}

    /** What the burn-in tunes of a kernel that names no step size. */
    public enum Tuning {
        /** Metric, step size and path length, in windows; the kernel becomes {@link JitteredHmc}. */
        WINDOWS,
        /** The step size alone. */
        STEP_SIZE;

        @Override
        public String toString() {
            return Words.kebab(name());
        }
    }

    /** The windows, where they can tune the kernel: hmc, mala or jittered-hmc with no setting but a temperature. */
    public static Tuning tuning(Kernel<?> kernel) {
        return warmUp(kernel, 1).isPresent() ? Tuning.WINDOWS : Tuning.STEP_SIZE;
    }

    private static Optional<AdaptiveWarmUp> warmUp(Kernel<?> kernel, int steps) {
        double t = kernel.traits().temperature().orElse(1);
        boolean plainHmc =
                kernel instanceof Hmc hmc && hmc.equals(new Hmc(hmc.stepSize(), 10, 0.1, List.of(), hmc.temperature()));
        boolean plainJittered = kernel instanceof JitteredHmc jittered
                && jittered.equals(new JitteredHmc(jittered.stepSize(), 0, List.of(), 0, jittered.temperature()));
        boolean plainMala = kernel instanceof Mala mala
                && mala.withStepSize(1).equals(Mala.of(1).withTemperature(t));
        return plainHmc || plainJittered || plainMala
                ? Optional.of(new AdaptiveWarmUp(steps, plainMala, true))
                : Optional.empty();
    }

    /** Runs the chains; of a kernel without a step size, the burn-in also tunes what is chosen. */
    public static Sampling run(
            Key key, Subject subject, Recipes.KernelChoice choice, Chains.Length length, Tuning tuning) {
        Key[] keys = key.split(2);
        Counting target = new Counting(subject.density());
        try (Scope scope = Scope.open()) {
            requireFinite(subject);
            Tensor start = subject.start();
            Ready ready = ready(keys[0], choice, target, start, length.burnIn(), tuning);
            requireNumbers(subject, ready.x, length.burnIn());
            long before = target.gradients.get();
            long began = System.nanoTime();
            Chains.Length draws = new Chains.Length(0, length.draws(), length.thin(), length.held());
            Chains chains = Chains.run(keys[1], ready.kernel, target, ready.x, draws);
            double seconds = (System.nanoTime() - began) / 1e9;
            return new Sampling(
                    subject,
                    ready.kernel instanceof JitteredHmc ? ready.kernel : choice.kernel(),
                    length,
                    ChainDiagnostics.of(chains, new SamplerSuggestions(choice, ready.kernel, length, true, true)),
                    ready.stepSize,
                    seconds,
                    target.gradients.get() - before);
        }
    }

    private static void requireFinite(Subject subject) {
        double[] values = subject.density().at(subject.start()).toDoubles();
        for (int i = 0; i < values.length; i++) {
            if (!Double.isFinite(values[i])) {
                throw new UserException("f of " + subject.name() + " is " + values[i] + " where chain " + i
                        + " starts; chains need a finite value to start from");
            }
        }
    }

    /** A step that is too large, of a kernel that accepts them all, leads to where f is no number. */
    private static void requireNumbers(Subject subject, Tensor x, int burnIn) {
        double[] values = subject.density().at(x).toDoubles();
        for (int i = 0; i < values.length; i++) {
            if (Double.isNaN(values[i]) || values[i] == Double.POSITIVE_INFINITY) {
                throw new DivergedException(
                        burnIn,
                        "f of " + subject.name() + " is " + values[i] + " where chain " + i
                                + " is after the burn-in; take a smaller step or noise, or a kernel with an accept/reject step");
            }
        }
    }

    private record Ready(Kernel<?> kernel, Tensor x, OptionalDouble stepSize) {}

    /** The kernel with the step size that was found, where it named none, and where its burn-in ends. */
    private static Ready ready(
            Key key, Recipes.KernelChoice choice, LogDensity target, Tensor x, int burnIn, Tuning tuning) {
        Kernel<?> given = choice.kernel();
        if (!choice.findsStep()) {
            Tensor end = ChainRun.run(key, given, target, x, burnIn).x();
            return new Ready(given, end, OptionalDouble.empty());
        }
        int steps = Math.max(1, burnIn);
        KernelTraits traits = given.traits();
        WarmUp<? extends ChainState> warmUp = tuning == Tuning.WINDOWS
                ? warmUp(given, steps)
                        .orElseThrow()
                        .run(key, target, x, traits.temperature().orElse(1))
                : WarmUp.run(
                        key,
                        StepSized.of(given).orElseThrow(),
                        target,
                        x,
                        steps,
                        traits.bestAcceptance().orElseThrow());
        StepSized<?> tuned = warmUp.kernel();
        return new Ready(tuned, warmUp.x(), OptionalDouble.of(tuned.stepSize()));
    }

    /** Effective samples, of the coordinate that has fewest, for each second of drawing. */
    public double sizePerSecond() {
        return diagnosis.leastBulk() / seconds;
    }

    /** Gradients of single samples for each effective sample. */
    public double gradientsPerSample() {
        return gradients * (double) diagnosis.chains().trace().chains() / diagnosis.leastBulk();
    }

    /** Counts evaluations of the gradient. */
    private record Counting(LogDensity density, AtomicLong gradients) implements LogDensity {
        Counting(LogDensity density) {
            this(density, new AtomicLong());
        }

        @Override
        public Tensor at(Tensor x) {
            return density.at(x);
        }

        @Override
        public ValueAndGradient valueAndGradient(Tensor x) {
            gradients.incrementAndGet();
            return density.valueAndGradient(x);
        }

        @Override
        public Tensor gradient(Tensor x) {
            gradients.incrementAndGet();
            return density.gradient(x);
        }

        @Override
        public Tensor clip(Tensor gradient, double limit) {
            return density.clip(gradient, limit);
        }

        @Override
        public Tensor clamp(Tensor x, double low, double high) {
            return density.clamp(x, low, high);
        }

        @Override
        public LogDensity rows(long... rows) {
            return new Counting(density.rows(rows), gradients);
        }
    }
}

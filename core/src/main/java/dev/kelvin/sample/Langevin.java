package dev.kelvin.sample;

import dev.kelvin.energy.LogDensity;
import dev.kelvin.part.Check;
import dev.kelvin.part.Cites;
import dev.kelvin.part.Default;
import dev.kelvin.part.Doc;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Unadjusted Langevin dynamics: a gradient step and Gaussian noise. The workhorse of EBM training; biased by its step
 * size (on a unit Gaussian its variance is 1/(1 − h/2)), so choose {@link Mala} where the density must be right.
 *
 * <p>x' = clamp(x + h·clip(∇f(x)) + σξ), ξ ~ N(0, I); with {@code noiseFirst} x₁ = x + σξ, x' = clamp(x₁ +
 * h·clip(∇f(x₁))). h = stepSize, σ = noise, or √(2hT) by the temperature. For small h it samples exp(f/T) with T =
 * σ²/(2h). With {@code anneal} step k is taken with h·anneal(k) at the same temperature: SGLD with annealed steps.
 *
 * <p>Sources: Raj and Girolami (2024) and Zhang (2021) (h = s, σ = √(2s)); Thinking Fourth Dimensionally (h = μ²/2, σ =
 * μ); Shah (2024)
 * and Robust to Inaccurate SGLD Samples (h = α/2, σ = √α); JEM (h = 1, σ = 0.01); IGEBM and improved CD ({@code
 * noiseFirst}, clip, clamp [0, 1]). Annealing: Welling and Teh (2011), equation 2 with a_k = a(b + k)^(−γ), so that h =
 * a·b^(−γ)/2 with {@link Decay.Polynomial}; Zhang (2021), "step annealing".
 */
@Doc("unadjusted Langevin: x + h∇f(x) + σξ")
@Cites("welling2011")
public record Langevin(
        @Doc("h, the step size") double stepSize,

        @Doc(value = "σ, the noise, if it is not tied to h", otherwise = "√(2·stepSize·temperature)")
        OptionalDouble noise,

        @Doc(value = "T, the temperature that σ is tied to", otherwise = "1, if noise is not given")
        OptionalDouble temperature,

        @Doc(value = "clips each coordinate of ∇f to ±clip", otherwise = "no clipping")
        OptionalDouble clip,

        @Doc(value = "clips coordinates to [low, high]", otherwise = "no clipping")
        Optional<List<Double>> clamp,

        @Doc("add the noise before ∇f is taken") @Default("false")
        boolean noiseFirst,

        @Doc(value = "the decay of the step size along a chain", otherwise = "it stays")
        Optional<Decay> anneal)
        implements StepSized<Langevin.State>, DifferentiableKernel<Langevin.State> {
    /** Where the chains are, and the steps taken. */
    public record State(Tensor x, long steps) implements ChainState {
        @Override
        public List<Tensor> tensors() {
            return List.of(x);
        }
    }

    public Langevin {
        OptionalDouble given = temperature;
        Optional<List<Double>> range = clamp.map(List::copyOf);
        Check.all(() -> Noise.check(stepSize, noise, given, true), () -> Limits.check(clip, range));
        temperature = Noise.tied(noise, given);
        clamp = range;
    }

    /** At temperature 1, without limits. */
    public static Langevin of(double stepSize) {
        OptionalDouble none = OptionalDouble.empty();
        return new Langevin(stepSize, none, none, none, Optional.empty(), false, Optional.empty());
    }

    @Override
    public Langevin withStepSize(double other) {
        return new Langevin(other, Noise.at(other, stepSize, noise), temperature, clip, clamp, noiseFirst, anneal);
    }

    /** Returns a copy whose noise is not tied to the step size. */
    public Langevin withNoise(double sigma) {
        return new Langevin(
                stepSize, OptionalDouble.of(sigma), OptionalDouble.empty(), clip, clamp, noiseFirst, anneal);
    }

    @Override
    public KernelTraits traits() {
        return KernelTraits.unadjusted(Noise.temperature(stepSize, noise, temperature))
                .withRecordable(true)
                .withMemoryless(anneal.isEmpty());
    }

    @Override
    public String words() {
        return "Langevin dynamics with " + Noise.words(stepSize)
                + (anneal.isPresent() ? " that decays along the chain" : "")
                + Noise.words(traits().temperature()) + Limits.words(clip, clamp);
    }

    @Override
    public State start(LogDensity target, Tensor x) {
        return new State(x, 0);
    }

    @Override
    public State resume(LogDensity target, Tensor x, long taken) {
        return new State(x, taken);
    }

    /** h at a step. */
    private double stepSizeAt(long taken) {
        return stepSize * anneal.map(decay -> decay.factor(taken)).orElse(1.0);
    }

    /** σ at a step of size h. */
    private double noiseAt(double h) {
        return Noise.of(stepSize, noise, temperature) * Math.sqrt(h / stepSize);
    }

    @Override
    public Tensor moved(Key key, LogDensity target, Tensor x, long taken) {
        try (Scope scope = Scope.open()) {
            double h = stepSizeAt(taken);
            Tensor noisy = x.plus(Tensors.normalLike(key, noiseAt(h), x));
            Tensor gradient = Limits.clipped(target, target.gradientInGraph(noiseFirst ? noisy : x), clip);
            return scope.keep(Limits.clamped(target, noisy.plus(gradient, h), clamp));
        }
    }

    @Override
    public Transition<State> step(Key key, LogDensity target, State state) {
        try (Scope scope = Scope.open()) {
            double h = stepSizeAt(state.steps());
            Tensor x = state.x();
            Tensor next = Tensors.normalLike(key, noiseAt(h), x).addInPlace(x);
            Tensor gradient = Limits.clipped(target, target.gradient(noiseFirst ? next : x), clip);
            next.addInPlace(gradient, h);
            State to = new State(scope.keep(Limits.clamped(target, next, clamp)), state.steps() + 1);
            return new Transition<>(to, StepInfo.UNADJUSTED);
        }
    }
}

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
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Langevin with a step of its own for each coordinate of each chain, from the recent size of its gradient (pSGLD).
 * Choose it where coordinates differ in scale; biased by its step size and, as the preconditioner moves, by the Γ term
 * that is left out.
 *
 * <pre>
 * V' = αV + (1 − α) g⊙g,  G = 1/(λ + √V'),  g = clip(∇f(x)),  V = 0 at the start
 * x' = clamp(x + hG⊙g + √(2hG)⊙ξ)    without a noise of its own (toys: α = 0.99, λ = 1e-5)
 * x' = clamp(x + hG⊙g + σξ)           with one (images: α = 0.9, λ = 1); T = σ²/2hG differs from place to place
 * </pre>
 *
 * <p>With {@code lagged} G is of V instead of V', as algorithms 2 and 6 of Zhang (2021) print it: the first step of a chain then
 * has G = 1/λ, which on toys is 1e5. His algorithm 9, of images, has V'.
 *
 * <p>With α = 1 the preconditioner stays as it is: on a unit Gaussian the variance is then 1/(1 − hG/2).
 *
 * <p>Source: Zhang (2021), "preconditioned SGLD", after Li et al. (2016), algorithm 1 (their ε/2 is our h). Differs from Li
 * et al.: Γ is left out, as Zhang does.
 *
 * <p>A gradient through its last move holds G fixed, so that it flows through ∇f alone.
 */
@Doc("preconditioned Langevin: each coordinate's step follows the recent size of its gradient")
@Cites({"li2016", "zhang2021"})
public record Psgld(
        @Doc("h, the step size") double stepSize,

        @Doc("α, how long gradients are remembered; 0.9 on images") @Default("0.99")
        double decay,

        @Doc("λ, added to their root mean square; 1 on images") @Default("1e-5")
        double damping,

        @Doc("take G from the gradients before this step's, as Zhang (2021) prints it for toys")
        @Default("false")
        @Cites("zhang2021")
        boolean lagged,

        @Doc(value = "σ, one noise for all coordinates", otherwise = "√(2·stepSize·G), G = 1/(λ + √V)")
        OptionalDouble noise,

        @Doc(value = "clips each coordinate of ∇f to ±clip", otherwise = "no clipping")
        OptionalDouble clip,

        @Doc(value = "clips coordinates to [low, high]", otherwise = "no clipping")
        Optional<List<Double>> clamp)
        implements StepSized<Psgld.State>, DifferentiableKernel<Psgld.State> {
    /** Positions, and V: the running mean square of each gradient component. */
    public record State(Tensor x, Tensor meanSquare) implements ChainState {
        @Override
        public List<Tensor> tensors() {
            return List.of(x, meanSquare);
        }
    }

    public Psgld {
        Optional<List<Double>> range = clamp.map(List::copyOf);
        Check.all(
                () -> Check.positive("stepSize", stepSize),
                () -> Check.within("decay", decay, 0, 1),
                () -> Check.positive("damping", damping),
                () -> noise.ifPresent(sigma -> Check.notNegative("noise", sigma)),
                () -> Limits.check(clip, range));
        clamp = range;
    }

    /** As on toys, without limits. */
    public static Psgld of(double stepSize) {
        return new Psgld(stepSize, 0.99, 1e-5, false, OptionalDouble.empty(), OptionalDouble.empty(), Optional.empty());
    }

    @Override
    public Psgld withStepSize(double other) {
        return new Psgld(other, decay, damping, lagged, Noise.at(other, stepSize, noise), clip, clamp);
    }

    /** σ²/2hG, the temperature of Langevin dynamics with the step hG and the noise σ. */
    @Override
    public OptionalDouble temperatureAt(State state) {
        double sigma = noise.orElse(0);
        if (sigma == 0) {
            return traits().temperature();
        }
        try (Scope scope = Scope.open()) {
            double divisor = state.meanSquare().sqrt().mean().item() + damping; // the mean of 1/G
            return OptionalDouble.of(sigma * sigma * divisor / (2 * stepSize));
        }
    }

    @Override
    public KernelTraits traits() {
        return KernelTraits.unadjusted(noise.isEmpty() ? OptionalDouble.of(1) : OptionalDouble.empty())
                .withTemperatureVarying(noise.orElse(0) > 0)
                .withRecordable(true);
    }

    @Override
    public String words() {
        return "preconditioned Langevin dynamics with " + Noise.words(stepSize) + Limits.words(clip, clamp);
    }

    @Override
    public State start(LogDensity target, Tensor x) {
        return new State(x, Tensors.zerosLike(x));
    }

    @Override
    public Transition<State> step(Key key, LogDensity target, State state) {
        try (Scope scope = Scope.open()) {
            Tensor gradient = Limits.clipped(target, target.gradient(state.x()), clip);
            Tensor meanSquare = state.meanSquare().times(decay).addProductInPlace(gradient, gradient, 1 - decay);
            Tensor divisor = divisor(state.meanSquare(), meanSquare);
            Tensor next = noise(key, state.x(), divisor);
            next.addInPlace(state.x()).addQuotientInPlace(gradient, divisor, stepSize);
            State to = new State(scope.keep(Limits.clamped(target, next, clamp)), scope.keep(meanSquare));
            Map<String, Tensor> figures = Map.of(StepInfo.STEP_DIVISOR, scope.keep(divisor.mean()));
            return new Transition<>(to, new StepInfo(Optional.empty(), figures));
        }
    }

    /** 1/G. */
    private Tensor divisor(Tensor before, Tensor after) {
        return (lagged ? before : after).sqrt().addNumberInPlace(damping);
    }

    private Tensor noise(Key key, Tensor x, Tensor divisor) {
        Tensor normal = Tensors.normalLike(key, noise.orElse(Math.sqrt(2 * stepSize)), x);
        return noise.isPresent() ? normal : normal.over(divisor.sqrt());
    }

    /** The first move of a chain, before which V is 0. */
    @Override
    public Tensor moved(Key key, LogDensity target, Tensor x, long taken) {
        return moved(key, target, x, Tensors.zerosLike(x.detach()));
    }

    private Tensor moved(Key key, LogDensity target, Tensor x, Tensor before) {
        try (Scope scope = Scope.open()) {
            Tensor gradient = Limits.clipped(target, target.gradientInGraph(x), clip);
            Tensor held = gradient.detach();
            Tensor divisor = divisor(before, before.times(decay).addProductInPlace(held, held, 1 - decay));
            Tensor next = noise(key, x.detach(), divisor).plus(x).plus(gradient.over(divisor), stepSize);
            return scope.keep(Limits.clamped(target, next, clamp));
        }
    }

    @Override
    public boolean resumes() {
        return false;
    }

    @Override
    public DifferentiableKernel<State> after(State state) {
        return new Going(this, state.meanSquare());
    }

    /** The next move of chains with a V of their own. */
    private record Going(Psgld kernel, Tensor meanSquare) implements DifferentiableKernel<State> {
        @Override
        public State start(LogDensity target, Tensor x) {
            return new State(x, meanSquare);
        }

        @Override
        public Transition<State> step(Key key, LogDensity target, State state) {
            return kernel.step(key, target, state);
        }

        @Override
        public Tensor moved(Key key, LogDensity target, Tensor x, long taken) {
            return kernel.moved(key, target, x, meanSquare);
        }

        @Override
        public KernelTraits traits() {
            return kernel.traits();
        }

        @Override
        public String words() {
            return kernel.words();
        }
    }
}

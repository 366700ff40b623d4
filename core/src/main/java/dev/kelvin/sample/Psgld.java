package dev.kelvin.sample;

import dev.kelvin.Check;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Langevin with a step of its own for each coordinate of each chain, from the recent size of its gradient (pSGLD).
 * Choose it where coordinates differ in scale; biased by its step size and, as the preconditioner moves, by the Γ term
 * that is left out.
 *
 * <pre>
 * V' = αV + (1 − α) g⊙g,  G = 1/(λ + √V'),  g = ∇f(x),  V = 0 at the start
 * x' = x + hG⊙g + √(2hG)⊙ξ    without a noise of its own (toys: α = 0.99, λ = 1e-5)
 * x' = x + hG⊙g + σξ           with one (images: α = 0.9, λ = 1)
 * </pre>
 *
 * <p>With α = 1 the preconditioner stays as it is: on a unit Gaussian the variance is then 1/(1 − hG/2).
 *
 * <p>Source: paper 001, "preconditioned SGLD", after Li et al. (2016), algorithm 1 (their ε/2 is our h). Differs from Li
 * et al.: Γ is left out, as the paper does.
 */
public record Psgld(double stepSize, double decay, double damping, OptionalDouble noise)
        implements StepSized<Psgld.State> {
    /** Positions, and V: the running mean square of each gradient component. */
    public record State(Tensor x, Tensor meanSquare) implements ChainState {
        @Override
        public List<Tensor> tensors() {
            return List.of(x, meanSquare);
        }
    }

    public Psgld {
        Check.positive("stepSize", stepSize);
        Check.within("decay", decay, 0, 1);
        Check.positive("damping", damping);
        noise.ifPresent(value -> Check.notNegative("noise", value));
    }

    @Override
    public Psgld withStepSize(double other) {
        double ratio = Math.sqrt(other / stepSize);
        OptionalDouble scaled = noise.isPresent() ? OptionalDouble.of(noise.getAsDouble() * ratio) : noise;
        return new Psgld(other, decay, damping, scaled);
    }

    @Override
    public State start(LogDensity target, Tensor x) {
        return new State(x, Tensors.zerosLike(x));
    }

    @Override
    public Transition<State> step(Key key, LogDensity target, State state) {
        try (Scope scope = Scope.open()) {
            Tensor gradient = target.gradient(state.x());
            Tensor meanSquare = state.meanSquare().times(decay).addProductInPlace(gradient, gradient, 1 - decay);
            Tensor divisor = meanSquare.sqrt().addNumberInPlace(damping); // 1/G
            Tensor next = Tensors.normalLike(key, noise.orElse(Math.sqrt(2 * stepSize)), state.x());
            if (noise.isEmpty()) {
                next = next.over(divisor.sqrt());
            }
            next.addInPlace(state.x()).addQuotientInPlace(gradient, divisor, stepSize);
            return new Transition<>(new State(scope.keep(next), scope.keep(meanSquare)), StepInfo.UNADJUSTED);
        }
    }
}

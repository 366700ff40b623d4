package dev.kelvin.sample;

import dev.kelvin.energy.LogDensity;
import dev.kelvin.part.Check;
import dev.kelvin.part.Cites;
import dev.kelvin.part.Default;
import dev.kelvin.part.Doc;
import dev.kelvin.part.Words;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Stein variational gradient descent: a set of particles that climb f together and push each other apart. No chain and
 * no noise: few particles cover a density evenly, but they see each other, so all rows of a batch are one set.
 *
 * <pre>
 * φ(xᵢ) = (1/n) Σⱼ [k(xᵢ, xⱼ)·clip(∇f(xⱼ))/T + ∇_{xⱼ} k(xᵢ, xⱼ)],  k(x, y) = exp(−‖x − y‖²/2b²)
 * b² = ½·median(‖xᵢ − xⱼ‖² over all pairs, i = j among them)/ln(n + 1); beyond 2048 particles, over the pairs of 2048
 * x' = clamp(x + hφ)                               plain
 * x' = clamp(x + hφ/(10⁻⁶ + √S')), S' = 0.9S + 0.1φ²   AdaGrad with momentum; S' = φ² at the first step
 * </pre>
 *
 * <p>Source: Liu and Wang (2016), algorithm 1, and the update of their published code; Shah (2024) (h = 0.09, 10 steps, 30
 * particles, ∇f clamped to ±1). Shah's density is exp(f/α), α being the loss's smoothing factor ({@code
 * objective.alpha}), and its text has "gradients of the energies": T = 1, the default, is the text, T = α the formula.
 * With T = 1 the loss's α is no temperature, and what is learnt is exp(f).
 */
@Doc("Stein variational gradient descent: the chains of a step are one set of particles that repel each other")
@Cites({"liu2016svgd", "shah2024"})
public record Svgd(
        @Doc("h, the step size; 0.09 in Shah (2024)") double stepSize,

        @Doc("how the particles move") @Default("adagrad") Update update,

        @Doc(
                "T of the density exp(f/T) that the particles approximate; with T = alpha of the objective it is Shah's (2024) exp(f/alpha)")
        @Default("1")
        @Cites("shah2024")
        double temperature,

        @Doc(value = "clips each coordinate of ∇f to ±clip", otherwise = "no clipping")
        OptionalDouble clip,

        @Doc(value = "clips coordinates to [low, high]", otherwise = "no clipping")
        Optional<List<Double>> clamp)
        implements StepSized<Svgd.State> {
    /** How φ moves the particles. */
    public enum Update {
        PLAIN,
        ADAGRAD
    }

    private static final double MOMENTUM = 0.9;
    private static final double FUDGE = 1e-6;

    /** Particles whose pairs are all looked at at once, and whose pairs give the bandwidth: 16 MB of floats. */
    static final int MOST_AT_ONCE = 2048;

    /** The particles and S, their mean squared moves (0 before the first). */
    public record State(Tensor x, Tensor squares, boolean moved) implements ChainState {
        @Override
        public List<Tensor> tensors() {
            return List.of(x, squares);
        }
    }

    public Svgd {
        Optional<List<Double>> range = clamp.map(List::copyOf);
        Check.all(
                () -> Check.positive("stepSize", stepSize),
                () -> Check.positive("temperature", temperature),
                () -> Limits.check(clip, range));
        clamp = range;
    }

    /** By AdaGrad, at T = 1, without limits. */
    public static Svgd of(double stepSize) {
        return new Svgd(stepSize, Update.ADAGRAD, 1, OptionalDouble.empty(), Optional.empty());
    }

    @Override
    public Svgd withStepSize(double other) {
        return new Svgd(other, update, temperature, clip, clamp);
    }

    @Override
    public KernelTraits traits() {
        return KernelTraits.unadjusted(OptionalDouble.of(temperature))
                .withRecordable(true)
                .withCoupling(KernelTraits.Coupling.PARTICLES);
    }

    @Override
    public String words() {
        return "Stein variational gradient descent with " + Noise.words(stepSize)
                + (temperature == 1 ? "" : " at temperature " + Words.number(temperature))
                + Limits.words(clip, clamp);
    }

    @Override
    public State start(LogDensity target, Tensor x) {
        return new State(x, Tensors.zerosLike(x), false);
    }

    @Override
    public Transition<State> step(Key key, LogDensity target, State state) {
        try (Scope scope = Scope.open()) {
            Tensor x = state.x();
            Tensor gradient = Limits.clipped(target, target.gradient(x), clip);
            if (temperature != 1) {
                gradient = gradient.times(1 / temperature);
            }
            Tensor phi =
                    direction(x.flattenSamples(), gradient.flattenSamples()).reshape(x.shape());
            Tensor next;
            Tensor squares;
            if (update == Update.PLAIN) {
                squares = state.squares().copy();
                next = x.copy().addInPlace(phi, stepSize);
            } else {
                squares = state.moved()
                        ? state.squares().times(MOMENTUM).addProductInPlace(phi, phi, 1 - MOMENTUM)
                        : phi.square();
                next = x.copy().addQuotientInPlace(phi, squares.sqrt().addNumberInPlace(FUDGE), stepSize);
            }
            State to = new State(scope.keep(Limits.clamped(target, next, clamp)), scope.keep(squares), true);
            return new Transition<>(to, StepInfo.UNADJUSTED);
        }
    }

    /** φ, [n, d], of particles and their gradients, by blocks of rows, so that memory does not grow with n². */
    static Tensor direction(Tensor x, Tensor gradient) {
        long n = x.size(0);
        if (n <= MOST_AT_ONCE) {
            Tensor distances = x.distances(x).square();
            return direction(x, x, gradient, distances, squaredBandwidth(distances, n));
        }
        Tensor some = everySo(x, (n + MOST_AT_ONCE - 1) / MOST_AT_ONCE);
        Tensor b2 = squaredBandwidth(some.distances(some).square(), n);
        long rows = Math.max(1, (long) MOST_AT_ONCE * MOST_AT_ONCE / n);
        List<Tensor> parts = new ArrayList<>();
        for (long from = 0; from < n; from += rows) {
            try (Scope scope = Scope.open()) {
                Tensor at = x.narrow(0, from, Math.min(rows, n - from));
                parts.add(scope.keep(direction(at, x, gradient, at.distances(x).square(), b2)));
            }
        }
        return Tensors.concat(0, parts);
    }

    /** Rows 0, stride, 2·stride and so on, without a list of them that would have to go to the device. */
    private static Tensor everySo(Tensor x, long stride) {
        long whole = x.size(0) / stride;
        Tensor first =
                x.narrow(0, 0, whole * stride).reshape(whole, stride, x.size(1)).select(1, 0);
        return whole * stride == x.size(0) ? first : Tensors.concat(0, first, x.narrow(0, whole * stride, 1));
    }

    /** φ at some of the particles, by their squared distances from all, [some, n], which are written over. */
    private static Tensor direction(Tensor at, Tensor x, Tensor gradient, Tensor distances, Tensor b2) {
        Tensor k = kernel(distances, b2);
        Tensor repulsion = repulsion(k, at, x, b2);
        return k.matmul(gradient).addInPlace(repulsion).timesInPlace(1.0 / x.size(0));
    }

    /** exp(−d²/2b²) of squared distances, which are written over. */
    static Tensor kernel(Tensor distances, Tensor b2) {
        return distances.timesInPlace(one(b2).over(b2).times(-0.5)).exp();
    }

    /** Σⱼ ∇_{xⱼ} k(xᵢ, xⱼ) = Σⱼ k(xᵢ, xⱼ)(xᵢ − xⱼ)/b². */
    static Tensor repulsion(Tensor k, Tensor at, Tensor x, Tensor b2) {
        return at.times(k.sum(1L).unsqueeze(1)).minus(k.matmul(x)).timesInPlace(one(b2).over(b2));
    }

    /**
     * b² of n particles from the squared distances of pairs, a number in double where they are; 1 if they lie in one point,
     * where any will do. It never comes to the CPU, so that a GPU need not wait for it.
     */
    static Tensor squaredBandwidth(Tensor squaredDistances, long n) {
        Tensor median = squaredDistances.median().to(DType.DOUBLE);
        Tensor least = Tensors.zerosLike(median).addNumberInPlace(Double.MIN_NORMAL);
        return one(median).where(median.lessThan(least), median.times(0.5 / Math.log(n + 1.0)));
    }

    private static Tensor one(Tensor like) {
        return Tensors.zerosLike(like).addNumberInPlace(1);
    }
}

package dev.kelvin.sample;

import dev.kelvin.energy.LogDensity;
import dev.kelvin.part.Check;
import dev.kelvin.part.Cites;
import dev.kelvin.part.Doc;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.NoGrad;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Metropolis-adjusted Langevin: proposes as {@link Langevin} does and accepts so that exp(f/T) is exactly invariant.
 *
 * <p>y = clamp(x + h·g(x) + σξ), g = clip(∇f), accepted with probability min(1, exp(f(y)/T − f(x)/T)·q(x|y)/q(y|x)),
 * q(·|x) = N(x + h·g(x), σ²). Tied, T = σ²/(2h), the drift points where exp(f/T) grows and small steps are nearly always
 * accepted. Untied, by an {@code mhTemperature}, the chain is still exact for exp(f/T), but σ and h answer to no one
 * density: the image runs of Zhang (2021) (h = 100, σ = 1e-4, T = 1, so σ²/(2h) = 5e-11) refuse everything.
 *
 * <p>With a clip it is still exact: any drift is, as long as the ratio has the same. With a clamp it is exact only while
 * nothing is clamped: the ratio is that of the clamped point, as if a Gaussian had proposed it.
 *
 * <p>Source: Zhang (2021), section on MALA. Differs from the paper: it prints the ratio with E itself and ∇log E; the
 * ratio here is Roberts and Tweedie's (1996).
 */
@Doc("Metropolis-adjusted Langevin, exact for exp(f/T)")
@Cites("roberts1996")
public record Mala(
        @Doc("h, the step size") double stepSize,

        @Doc(value = "σ, the noise, if it is not tied to h by a temperature", otherwise = "√(2·stepSize·temperature)")
        OptionalDouble noise,

        @Doc(value = "T, the temperature that σ is tied to", otherwise = "1, if noise is not given")
        OptionalDouble temperature,

        @Doc(
                value = "the untied form: accept for exp(f/mhTemperature), whatever noise²/(2·stepSize) is",
                otherwise = "tied, noise²/(2·stepSize)")
        @Cites("zhang2021")
        OptionalDouble mhTemperature,

        @Doc(value = "clips each coordinate of ∇f to ±clip", otherwise = "no clipping")
        OptionalDouble clip,

        @Doc(value = "clips coordinates to [low, high]", otherwise = "no clipping")
        Optional<List<Double>> clamp)
        implements StepSized<Evaluated> {
    /** Where it moves furthest for its cost in many dimensions: Roberts and Rosenthal (1998). */
    private static final double BEST_ACCEPTANCE = 0.574;

    /** Numbers up to which Java is faster than a few operations on tensors. */
    private static final int FEW = 4096;

    public Mala {
        OptionalDouble given = temperature;
        Optional<List<Double>> range = clamp.map(List::copyOf);
        Check.all(
                () -> Noise.check(stepSize, noise, given, false),
                () -> Check.positive("mhTemperature", mhTemperature),
                () -> Limits.check(clip, range));
        temperature = Noise.tied(noise, given);
        clamp = range;
    }

    /** At temperature 1, without limits. */
    public static Mala of(double stepSize) {
        OptionalDouble none = OptionalDouble.empty();
        return new Mala(stepSize, none, none, none, none, Optional.empty());
    }

    @Override
    public Mala withStepSize(double other) {
        return new Mala(other, Noise.at(other, stepSize, noise), temperature, mhTemperature, clip, clamp);
    }

    /** Returns a copy whose noise is tied to the step size by a temperature. */
    public Mala withTemperature(double other) {
        return new Mala(stepSize, OptionalDouble.empty(), OptionalDouble.of(other), mhTemperature, clip, clamp);
    }

    @Override
    public KernelTraits traits() {
        return KernelTraits.exact(acceptedTemperature())
                .withRecordable(true)
                .withMemoryless(true)
                .withBestAcceptance(BEST_ACCEPTANCE);
    }

    @Override
    public String words() {
        return "MALA with " + Noise.words(stepSize) + Noise.words(traits().temperature()) + Limits.words(clip, clamp);
    }

    /** T of the ratio that a proposal is accepted by. */
    private double acceptedTemperature() {
        return mhTemperature.orElseGet(
                () -> Noise.temperature(stepSize, noise, temperature).orElseThrow());
    }

    private double sigma() {
        return Noise.of(stepSize, noise, temperature);
    }

    /** The state's gradient is the clipped one, which is all that a step asks for. */
    @Override
    public Evaluated start(LogDensity target, Tensor x) {
        Evaluated at = Evaluated.at(target, x);
        return clip.isEmpty() ? at : new Evaluated(x, at.value(), Limits.clipped(target, at.gradient(), clip));
    }

    @Override
    public Transition<Evaluated> step(Key key, LogDensity target, Evaluated from) {
        try (Scope scope = Scope.open()) {
            Key[] keys = key.split(2);
            Tensor noisy = Tensors.normalLike(keys[0], sigma(), from.x());
            Tensor y = noisy.plus(from.x()).addInPlace(from.gradient(), stepSize);
            if (clamp.isPresent()) {
                Tensor inside = Limits.clamped(target, y, clamp);
                noisy.addInPlace(inside.minus(y));
                y = inside;
            }
            Evaluated to = start(target, y);
            if (y.device().cuda()) {
                return from.metropolis(scope, keys[1], to, logAcceptanceByTensors(from, to, noisy));
            }
            return from.metropolis(scope, keys[1], to, logAcceptance(from, to, noisy), Map.of());
        }
    }

    /**
     * log of exp(f(y)/T − f(x)/T)·q(x|y)/q(y|x) for each chain, where noisy = y − x − h·g(x), which is written over;
     * the probability is its exponential, at most 1.
     */
    public double[] logAcceptance(Evaluated x, Evaluated y, Tensor noisy) {
        double[] here = x.value().toDoubles();
        double[] there = y.value().toDoubles();
        double[] log = noisy.count() <= FEW
                ? proposalRatio(x, y, noisy)
                : proposalRatioByTensors(x, y, noisy).toDoubles();
        double sigma = sigma();
        double t = acceptedTemperature();
        for (int i = 0; i < log.length; i++) {
            log[i] = (there[i] - here[i]) / t - stepSize / (sigma * sigma) * log[i];
        }
        return log;
    }

    /** The logs of the acceptance as doubles on the chains' device. */
    Tensor logAcceptanceByTensors(Evaluated x, Evaluated y, Tensor noisy) {
        double sigma = sigma();
        double t = acceptedTemperature();
        try (Scope scope = Scope.open();
                NoGrad noGrad = NoGrad.open()) {
            Tensor rise = y.value().to(DType.DOUBLE).minus(x.value().to(DType.DOUBLE));
            Tensor ratio = proposalRatioByTensors(x, y, noisy).to(DType.DOUBLE);
            return scope.keep(rise.times(1 / t).plus(ratio, -stepSize / (sigma * sigma)));
        }
    }

    // log q(x|y) - log q(y|x) = (|n|^2 - |n + h s|^2) / 2 sigma^2 = -h s.(n + h s / 2) / sigma^2
    // n = noisy, s = g(x) + g(y); what is returned is s.(n + h s / 2)

    private double[] proposalRatio(Evaluated x, Evaluated y, Tensor noisy) {
        double[] here = x.gradient().toDoubles();
        double[] there = y.gradient().toDoubles();
        double[] n = noisy.toDoubles();
        double[] ratio = new double[(int) noisy.size(0)];
        int width = n.length / ratio.length;
        for (int i = 0; i < n.length; i++) {
            double s = here[i] + there[i];
            ratio[i / width] += s * (n[i] + stepSize / 2 * s);
        }
        return ratio;
    }

    private Tensor proposalRatioByTensors(Evaluated x, Evaluated y, Tensor noisy) {
        try (NoGrad noGrad = NoGrad.open()) {
            Tensor s = x.gradient().plus(y.gradient());
            return noisy.addInPlace(s, stepSize / 2).timesInPlace(s).sumPerSample();
        }
    }
}

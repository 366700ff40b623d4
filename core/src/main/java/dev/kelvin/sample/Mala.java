package dev.kelvin.sample;

import dev.kelvin.energy.LogDensity;
import dev.kelvin.part.Check;
import dev.kelvin.part.Cites;
import dev.kelvin.part.Default;
import dev.kelvin.part.Doc;
import dev.kelvin.part.Words;
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
 * <pre>
 * y = clamp(x + h·g(x) + σξ), g = clip(∇f), accepted with probability min(1, a)
 * exact    a = exp(f(y)/T − f(x)/T)·q(x|y)/q(y|x),  q(·|x) = N(x + h·g(x), σ²),          T = mhTemperature or σ²/(2h)
 * step     the same with                            q(·|x) = N(x + h·g(x), 2hT),         T = mhTemperature or 1
 * printed  a = E(y)/E(x)·q(x|y)/q(y|x),             q(·|x) = N(x + h·∇log E(x), 2hT),    E = −f
 * </pre>
 *
 * <p>{@code exact} is Roberts and Tweedie's (1996) ratio. Tied, T = σ²/(2h), the drift points where exp(f/T) grows and small
 * steps are nearly always accepted. With an {@code mhTemperature} of its own it is still exact, but where σ² is far below 2hT
 * nothing is accepted: at h = 100, σ = 1e-4, T = 1 the drift alone costs h·|∇f|²·2e10 in the exponent.
 *
 * <p>The image runs of Zhang (2021) add noise of 1e-4 at h = 100 and print q ∝ exp(−‖·‖²/4h), of variance 2h whatever the
 * noise: {@code step}. To first order its terms cancel, so that nearly everything is accepted while h times the curvature of f
 * is below 2 or gradients are small. {@code printed} is the ratio to the letter, with E itself where exp(−E) belongs; where E(x)
 * and E(y) differ in sign it refuses. Neither is exact unless σ² = 2hT ({@code printed} never is), and the chains sample no
 * known density; choose them to reproduce the thesis. Differs from the paper: the step in {@code printed} that the thesis's
 * algorithms write as an undefined τ is h, as in its section 3.3.4.
 *
 * <p>With {@code reject: false} every proposal is taken, as Langevin's is, and the probability is only reported: the acceptance
 * that SGLD would have (Zhang 2021, figures 4.7 and 4.14).
 *
 * <p>With a clip {@code exact} is still exact: any drift is, as long as the ratio has the same. With a clamp it is exact only
 * while nothing is clamped: the ratio is that of the clamped point, as if a Gaussian had proposed it.
 *
 * <p>Sources: Roberts and Tweedie (1996); Zhang (2021), section 3.3.4 and algorithms 5 and 10.
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
                "the accept ratio: exact; step, with variance 2·stepSize whatever the noise, or printed, as Zhang (2021) prints it")
        @Default("exact")
        Ratio ratio,

        @Doc("false: take every proposal and only report its acceptance") @Default("true")
        boolean reject,

        @Doc(
                value = "T of the ratio, whatever noise²/(2·stepSize) is",
                otherwise = "noise²/(2·stepSize); 1 with the ratios step and printed")
        OptionalDouble mhTemperature,

        @Doc(value = "clips each coordinate of ∇f to ±clip", otherwise = "no clipping")
        OptionalDouble clip,

        @Doc(value = "clips coordinates to [low, high]", otherwise = "no clipping")
        Optional<List<Double>> clamp)
        implements StepSized<Evaluated>, DifferentiableKernel<Evaluated> {
    /** What a proposal is accepted by. */
    public enum Ratio {
        /** Roberts and Tweedie's, with the variance of the noise that is added. */
        EXACT,
        /** The same with variance 2·stepSize·T, whatever noise is added (Zhang 2021). */
        @Cites("zhang2021")
        STEP,
        /** With E itself and ∇log E, of variance 2·stepSize·T, as Zhang (2021) prints it. */
        @Cites("zhang2021")
        PRINTED
    }

    private static final double ROUNDING = 1e-9;

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
        return new Mala(stepSize, none, none, Ratio.EXACT, true, none, none, Optional.empty());
    }

    @Override
    public Mala withStepSize(double other) {
        OptionalDouble sigma = Noise.at(other, stepSize, noise);
        return new Mala(other, sigma, temperature, ratio, reject, mhTemperature, clip, clamp);
    }

    /** Returns a copy whose noise is tied to the step size by a temperature. */
    public Mala withTemperature(double other) {
        OptionalDouble tied = OptionalDouble.of(other);
        return new Mala(stepSize, OptionalDouble.empty(), tied, ratio, reject, mhTemperature, clip, clamp);
    }

    @Override
    public KernelTraits traits() {
        KernelTraits of = exact()
                ? KernelTraits.exact(acceptedTemperature()).withBestAcceptance(BEST_ACCEPTANCE)
                : KernelTraits.inexact();
        return of.withRecordable(true).withMemoryless(true);
    }

    /** Whether exp(f/T) is invariant, but for a clamp. */
    private boolean exact() {
        double added = sigma() * sigma();
        return reject
                && (ratio == Ratio.EXACT
                        || (ratio == Ratio.STEP && Math.abs(proposedVariance() - added) <= ROUNDING * added));
    }

    @Override
    public String words() {
        if (exact()) {
            return "MALA with " + Noise.words(stepSize) + Noise.words(traits().temperature())
                    + Limits.words(clip, clamp);
        }
        String by = switch (ratio) {
            case EXACT -> "";
            case STEP -> " that accepts as if its noise were √(2·stepSize)";
            case PRINTED -> " that accepts by the ratio with E itself";
        };
        String added = noise.isPresent() ? " and noise " + Words.number(sigma()) : Noise.words(temperature);
        return "MALA with " + Noise.words(stepSize) + added + by + (reject ? "" : " and takes every proposal")
                + Limits.words(clip, clamp);
    }

    /** T of the ratio that a proposal is accepted by. */
    private double acceptedTemperature() {
        return ratio == Ratio.EXACT
                ? mhTemperature.orElseGet(
                        () -> Noise.temperature(stepSize, noise, temperature).orElseThrow())
                : mhTemperature.orElse(1);
    }

    /** The variance of q in the ratio. */
    private double proposedVariance() {
        double sigma = sigma();
        return ratio == Ratio.EXACT ? sigma * sigma : 2 * stepSize * acceptedTemperature();
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
            Transition<Evaluated> next = judged(keys[1], from, start(target, y), noisy);
            next.state().tensors().forEach(scope::keep);
            next.info().acceptance().ifPresent(scope::keep);
            return next;
        }
    }

    /** Whether each chain goes to its proposal; {@code noisy} is what {@link #logAcceptance} takes. */
    private Transition<Evaluated> judged(Key key, Evaluated from, Evaluated to, Tensor noisy) {
        try (Scope scope = Scope.open()) {
            if (to.x().device().cuda()) {
                Tensor logs = logAcceptanceByTensors(from, to, noisy);
                return reject ? from.metropolis(scope, key, to, logs) : from.taken(scope, to, logs);
            }
            double[] logs = logAcceptance(from, to, noisy);
            return reject
                    ? from.metropolis(scope, key, to, logs, Map.of())
                    : from.taken(scope, to, Tensors.of(logs, logs.length));
        }
    }

    /** Of the accepted proposals; that the choice itself depends on the parameters is left out of the gradient. */
    @Override
    public Tensor moved(Key key, LogDensity target, Tensor x, long taken) {
        try (Scope scope = Scope.open()) {
            Key[] keys = key.split(2);
            Evaluated from = start(target, x.detach());
            Tensor noise = Tensors.normalLike(keys[0], sigma(), from.x());
            Tensor gradient = Limits.clipped(target, target.gradientInGraph(x), clip);
            Tensor y = Limits.clamped(target, noise.plus(x).plus(gradient, stepSize), clamp);
            if (!reject) {
                return scope.keep(y);
            }
            Evaluated to = start(target, y.detach());
            Tensor noisy = to.x().minus(from.x()).addInPlace(from.gradient(), -stepSize);
            Tensor end = judged(keys[1], from, to, clamp.isPresent() ? noisy : noise)
                    .state()
                    .x();
            Tensor away = end.minus(from.x()).square().sumPerSample();
            Tensor accepted = Tensors.zerosLike(away).lessThan(away).reshape(x.rowShape());
            return scope.keep(y.where(accepted, x));
        }
    }

    /**
     * log of exp(f(y)/T − f(x)/T)·q(x|y)/q(y|x) for each chain, where noisy = y − x − h·g(x), which is written over;
     * the probability is its exponential, at most 1.
     */
    public double[] logAcceptance(Evaluated x, Evaluated y, Tensor noisy) {
        if (ratio == Ratio.PRINTED) {
            return printedByTensors(x, y, noisy).toDoubles();
        }
        double[] here = x.value().toDoubles();
        double[] there = y.value().toDoubles();
        double[] log = noisy.count() <= FEW
                ? proposalRatio(x, y, noisy)
                : proposalRatioByTensors(x, y, noisy).toDoubles();
        double variance = proposedVariance();
        double t = acceptedTemperature();
        for (int i = 0; i < log.length; i++) {
            log[i] = (there[i] - here[i]) / t - stepSize / variance * log[i];
        }
        return log;
    }

    /** The logs of the acceptance as doubles on the chains' device. */
    Tensor logAcceptanceByTensors(Evaluated x, Evaluated y, Tensor noisy) {
        if (ratio == Ratio.PRINTED) {
            return printedByTensors(x, y, noisy);
        }
        double t = acceptedTemperature();
        try (Scope scope = Scope.open();
                NoGrad noGrad = NoGrad.open()) {
            Tensor rise = y.value().to(DType.DOUBLE).minus(x.value().to(DType.DOUBLE));
            Tensor ratio = proposalRatioByTensors(x, y, noisy).to(DType.DOUBLE);
            return scope.keep(rise.times(1 / t).plus(ratio, -stepSize / proposedVariance()));
        }
    }

    // a = grad log E(x), b = grad log E(y) = g/f, m = y - x, v = 2hT; the drift is hT a, and where it was h/T it is h a
    // log E(y)/E(x) + (|m - hT a|^2 - |m + hT b|^2) / 2v = log E(y)/E(x) - m.(a + b) / 2 + hT (|a|^2 - |b|^2) / 4

    private Tensor printedByTensors(Evaluated x, Evaluated y, Tensor noisy) {
        double length = stepSize * acceptedTemperature();
        try (Scope scope = Scope.open();
                NoGrad noGrad = NoGrad.open()) {
            Tensor here = x.value().to(DType.DOUBLE);
            Tensor there = y.value().to(DType.DOUBLE);
            long[] rows = x.x().rowShape();
            Tensor a = x.gradient().to(DType.DOUBLE).over(here.reshape(rows));
            Tensor b = y.gradient().to(DType.DOUBLE).over(there.reshape(rows));
            Tensor m = noisy.plus(x.gradient(), stepSize).to(DType.DOUBLE);
            Tensor drift = a.plus(b).times(m).sumPerSample().times(-0.5);
            Tensor bend = a.square().minus(b.square()).sumPerSample().times(length / 4);
            Tensor quotient = there.over(here); // a negative one is never accepted
            return scope.keep(quotient.clamp(0, Double.POSITIVE_INFINITY)
                    .log()
                    .plus(drift)
                    .plus(bend));
        }
    }

    // log q(x|y) - log q(y|x) = (|n|^2 - |n + h s|^2) / 2v = -h s.(n + h s / 2) / v
    // v = the variance of q, n = noisy, s = g(x) + g(y); what is returned is s.(n + h s / 2)

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

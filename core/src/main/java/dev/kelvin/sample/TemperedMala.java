package dev.kelvin.sample;

import dev.kelvin.energy.LogDensity;
import dev.kelvin.part.Check;
import dev.kelvin.part.Cites;
import dev.kelvin.part.Default;
import dev.kelvin.part.Doc;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Tensor;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * MALA that heats itself: whenever a step's mean acceptance is at most {@code threshold}, the temperature is multiplied
 * by {@code factor} for the steps that follow. It gets moving at any step size, at the price of sampling exp(f/T) with
 * whatever T it has reached; as long as it stays at T = 1 it is exact.
 *
 * <p>{@link Mala} on f/T: y = clamp(x + (h/T)·clip(∇f(x)) + σξ), accepted for exp(f/T). Without a {@code noise} of its own σ
 * = √(2h), which in our convention is step size h/T at temperature T. With the {@code ratio}s step and printed q has variance
 * 2h at every T.
 *
 * <p>What it has heated to is known only while it runs, so the chains have no temperature that an objective could weigh by,
 * unless the factor is 1.
 *
 * <p>Source: Zhang (2021), algorithm 10 (tem = T, u = threshold = 0.5, factor 10). Differs from the paper: it divides E by tem
 * at each step, which would compound; here f/T is of f itself.
 */
@Doc("MALA that heats itself until its proposals are accepted")
@Cites({"zhang2021", "roberts1996"})
public record TemperedMala(
        @Doc("h, the step size") double stepSize,

        @Doc("heat when the mean acceptance is at most this") @Default("0.5")
        double threshold,

        @Doc("what the temperature is multiplied by then") @Default("10")
        double factor,

        @Doc(value = "σ, one noise for all temperatures, if it is not tied to h", otherwise = "√(2·stepSize)")
        OptionalDouble noise,

        @Doc(
                "the accept ratio: exact; step, with variance 2·stepSize whatever the noise, or printed, as Zhang (2021) prints it")
        @Default("exact")
        Mala.Ratio ratio,

        @Doc(value = "clips each coordinate of ∇f to ±clip", otherwise = "no clipping")
        OptionalDouble clip,

        @Doc(value = "clips coordinates to [low, high]", otherwise = "no clipping")
        Optional<List<Double>> clamp)
        implements Kernel<TemperedMala.State> {
    /** Where the chains are and the temperature that they share. */
    public record State(Evaluated at, double temperature) implements ChainState {
        @Override
        public Tensor x() {
            return at.x();
        }

        @Override
        public List<Tensor> tensors() {
            return at.tensors();
        }
    }

    public TemperedMala {
        Optional<List<Double>> range = clamp.map(List::copyOf);
        Check.all(
                () -> Check.positive("stepSize", stepSize),
                () -> Check.within("threshold", threshold, 0, 1),
                () -> Check.within("factor", factor, 1, Double.MAX_VALUE),
                () -> Check.positive("noise", noise),
                () -> Limits.check(clip, range));
        clamp = range;
    }

    /** Heated tenfold where at most half of the proposals are accepted. */
    public static TemperedMala of(double stepSize) {
        OptionalDouble none = OptionalDouble.empty();
        return new TemperedMala(stepSize, 0.5, 10, none, Mala.Ratio.EXACT, none, Optional.empty());
    }

    @Override
    public KernelTraits traits() {
        KernelTraits unheated = mala(1).traits();
        KernelTraits of = factor == 1 && unheated.temperature().isPresent()
                ? KernelTraits.exact(1)
                : KernelTraits.inexact().withTemperatureVarying(factor > 1);
        return of.withCoupling(KernelTraits.Coupling.SHARED_STEP);
    }

    @Override
    public OptionalDouble temperatureAt(State state) {
        return OptionalDouble.of(state.temperature());
    }

    @Override
    public String words() {
        return "MALA with " + Noise.words(stepSize) + " that heats itself where its proposals are refused"
                + Limits.words(clip, clamp);
    }

    @Override
    public State start(LogDensity target, Tensor x) {
        return new State(mala(1).start(target, x), 1);
    }

    @Override
    public Transition<State> step(Key key, LogDensity target, State state) {
        double temperature = state.temperature();
        Transition<Evaluated> step = mala(temperature).step(key, target, state.at());
        boolean stuck = step.info().acceptance().orElseThrow().mean().item() <= threshold;
        return new Transition<>(new State(step.state(), stuck ? temperature * factor : temperature), step.info());
    }

    private Mala mala(double temperature) {
        OptionalDouble none = OptionalDouble.empty();
        OptionalDouble t = OptionalDouble.of(temperature);
        boolean tied = noise.isEmpty() && ratio == Mala.Ratio.EXACT;
        OptionalDouble sigma = tied ? none : OptionalDouble.of(noise.orElse(Math.sqrt(2 * stepSize)));
        return new Mala(stepSize / temperature, sigma, tied ? t : none, ratio, true, tied ? none : t, clip, clamp);
    }
}

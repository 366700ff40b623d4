package dev.kelvin.model;

import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Tensor;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Which samples of a model are asked for.
 *
 * @param count the number of samples; where chains go on from others, there may be fewer
 * @param batch of several batches by one key the number of this one, whose chains are others where there are others
 * @param components the component of each sample, of those that are asked for by component
 * @param at where chains begin, of those that go on from samples
 */
public record SampleRequest(
        Key key,
        From from,
        int count,
        OptionalInt batch,
        OptionalInt steps,
        long[] components,
        Optional<Tensor> at,
        double stepFactor) {
    /** The chains that samples are the ends of. */
    public enum From {
        /** Chains on f that walk as far as in training: those of the replay buffer if they are on f, otherwise fresh ones. */
        MODEL,
        /** Chains from fresh starts, so that there are as many as are asked for. */
        FRESH,
        /** Chains as training makes its negatives, on (1 − β)f under the robust objective. */
        NEGATIVES,
        /** Chains that walk {@link Sampler#LONGER} times as far; where that has a meaning, on from samples of the model. */
        LONG,
        /** Chains on f(·)_k of a component each. */
        GIVEN,
        /** Chains on f from given samples. */
        REFINED
    }

    private static SampleRequest plain(From from, Key key, int count) {
        return new SampleRequest(
                key, from, count, OptionalInt.empty(), OptionalInt.empty(), new long[0], Optional.empty(), 1);
    }

    private SampleRequest with(OptionalInt number, OptionalInt length, Optional<Tensor> start, long... k) {
        return new SampleRequest(key, from, count, number, length, k, start, stepFactor);
    }

    /** Samples of the model, as figures are taken from. */
    public static SampleRequest of(Key key, int count) {
        return plain(From.MODEL, key, count);
    }

    /** Samples from fresh starts. */
    public static SampleRequest fresh(Key key, int count) {
        return plain(From.FRESH, key, count);
    }

    /** Samples as training makes its negatives. */
    public static SampleRequest negatives(Key key, int count) {
        return plain(From.NEGATIVES, key, count);
    }

    /** One of several batches of negatives by one key. */
    public static SampleRequest negatives(Key key, int batch, int count) {
        return negatives(key, count).with(OptionalInt.of(batch), OptionalInt.empty(), Optional.empty());
    }

    /** The ends of long chains; of an annealed model, on from these samples of it. */
    public static SampleRequest longRun(Key key, Tensor drawn) {
        return plain(From.LONG, key, (int) drawn.size(0))
                .with(OptionalInt.empty(), OptionalInt.empty(), Optional.of(drawn));
    }

    /** Samples of these components, by chains of this many steps. */
    public static SampleRequest given(Key key, int steps, long... components) {
        return plain(From.GIVEN, key, components.length)
                .with(OptionalInt.empty(), OptionalInt.of(steps), Optional.empty(), components);
    }

    /** Given samples, moved by this many steps. */
    public static SampleRequest refined(Key key, Tensor x, int steps) {
        return plain(From.REFINED, key, (int) x.size(0))
                .with(OptionalInt.empty(), OptionalInt.of(steps), Optional.of(x));
    }

    /** Fresh samples by chains at this many times the step size and the same temperature: see {@link Sampler.Traits}. */
    public SampleRequest withStepFactor(double factor) {
        return new SampleRequest(key, from, count, batch, steps, components, at, factor);
    }

    Tensor start() {
        return at.orElseThrow();
    }
}

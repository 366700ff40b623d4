package dev.kelvin.sample.posterior;

import dev.kelvin.energy.Bounded;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.energy.Support;
import dev.kelvin.part.Check;
import dev.kelvin.sample.Evaluated;
import dev.kelvin.sample.JitteredHmc;
import dev.kelvin.sample.warmup.AdaptiveWarmUp;
import dev.kelvin.sample.warmup.ExchangeWarmUp;
import dev.kelvin.sample.warmup.WarmUp;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Memory;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.TooLargeException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * Samples a user's log-density, in double precision, with everything tuned: the front door for Java.
 *
 * <pre>{@code
 * LogDensity banana = x -> {
 *     Tensor a = x.select(1, 0);
 *     Tensor b = x.select(1, 1).minus(a.square());
 *     return a.square().plus(b.square(), 4).times(-0.5);
 * };
 * Posterior posterior = PosteriorSampler.of(banana, 2).run(0);
 * System.out.print(posterior.summary());
 * }</pre>
 *
 * <p>All chains run as one batch, after an {@link AdaptiveWarmUp}. Coordinates with bounds get a {@link Support} and are walked
 * in without them; the density receives, and the trace holds, the bounded ones.
 *
 * @param density f, from [n, dimensions] to [n]
 * @param method how draws are made
 * @param chains how many chains there are
 * @param warmUp steps before the first draw, in which the sampler is tuned
 * @param draws draws of each chain
 * @param thin steps between two draws; where it is left out, 1, doubled until each chain's draws are worth 200
 *     independent ones (half as many as they are, where those are fewer), at most to 64
 * @param supports the values that each coordinate can have
 * @param names what the coordinates are called in summaries
 * @param correlated whether the metric has correlations; otherwise it is diagonal
 * @param exchange what leads chains to all modes before the warm-up, where there may be several
 */
public record PosteriorSampler(
        LogDensity density,
        Method method,
        int chains,
        int warmUp,
        int draws,
        OptionalInt thin,
        List<Support> supports,
        List<String> names,
        boolean correlated,
        Optional<ExchangeWarmUp> exchange) {
    /** How draws are made. */
    public enum Method {
        /** By paths of a length that the warm-up adapts: the better choice nearly always. */
        HMC,
        /** By single steps: preconditioned MALA. */
        MALA
    }

    private static final int CHAINS = 16;
    private static final int WARM_UP = 1000;
    private static final int DRAWS = 1000;

    /** Split halves of 6 draws, which the diagnostics need. */
    private static final int LEAST_DRAWS = 12;

    public PosteriorSampler {
        List<Support> bounds = List.copyOf(supports);
        List<String> words = List.copyOf(names);
        Check.all(
                () -> Check.atLeast("chains", chains, 1),
                () -> Check.atLeast("warmUp", warmUp, 1),
                () -> Check.atLeast("draws", draws, LEAST_DRAWS),
                () -> thin.ifPresent(steps -> Check.atLeast("thin", steps, 1)),
                () -> Check.atLeast("dimensions", bounds.size(), 1),
                () -> Check.require(
                        words.size() == bounds.size(),
                        "names",
                        "must be one for each of the " + bounds.size() + " coordinates; found " + words.size()));
        supports = bounds;
        names = words;
    }

    /** HMC of 16 chains with a warm-up of 1000 steps and 1000 draws each, on a density without bounds. */
    public static PosteriorSampler of(LogDensity density, int dimensions) {
        Check.atLeast("dimensions", dimensions, 1);
        return new PosteriorSampler(
                density,
                Method.HMC,
                CHAINS,
                WARM_UP,
                DRAWS,
                OptionalInt.empty(),
                Bounded.real(dimensions),
                IntStream.range(0, dimensions).mapToObj(i -> "x" + i).toList(),
                true,
                Optional.empty());
    }

    /** With another way to draw. */
    public PosteriorSampler withMethod(Method other) {
        return new PosteriorSampler(density, other, chains, warmUp, draws, thin, supports, names, correlated, exchange);
    }

    /** With another number of chains. */
    public PosteriorSampler withChains(int count) {
        return new PosteriorSampler(density, method, count, warmUp, draws, thin, supports, names, correlated, exchange);
    }

    /** With another warm-up. */
    public PosteriorSampler withWarmUp(int steps) {
        return new PosteriorSampler(density, method, chains, steps, draws, thin, supports, names, correlated, exchange);
    }

    /** With another number of draws of each chain. */
    public PosteriorSampler withDraws(int count) {
        return new PosteriorSampler(
                density, method, chains, warmUp, count, thin, supports, names, correlated, exchange);
    }

    /** Returns a copy with a number of steps between two draws. */
    public PosteriorSampler withThin(int steps) {
        return new PosteriorSampler(
                density, method, chains, warmUp, draws, OptionalInt.of(steps), supports, names, correlated, exchange);
    }

    /** With bounds for one coordinate. */
    public PosteriorSampler withSupport(int coordinate, Support support) {
        List<Support> all = new ArrayList<>(supports);
        all.set(coordinate, support);
        return new PosteriorSampler(density, method, chains, warmUp, draws, thin, all, names, correlated, exchange);
    }

    /** With names for all coordinates. */
    public PosteriorSampler withNames(String... all) {
        return new PosteriorSampler(
                density, method, chains, warmUp, draws, thin, supports, List.of(all), correlated, exchange);
    }

    /** With a metric without correlations. */
    public PosteriorSampler withDiagonalMetric() {
        return new PosteriorSampler(density, method, chains, warmUp, draws, thin, supports, names, false, exchange);
    }

    /** With chains that find all modes by replica exchange first; draws are then made in whichever mode a chain is. */
    public PosteriorSampler withExchange(ExchangeWarmUp before) {
        return new PosteriorSampler(
                density, method, chains, warmUp, draws, thin, supports, names, correlated, Optional.of(before));
    }

    private int dimensions() {
        return supports.size();
    }

    /** Refuses more draws than memory holds, and more steps than are counted, before the warm-up. */
    private void requireRoom() {
        Memory.array(Double.BYTES, draws, chains, dimensions());
        long steps = (long) draws * thin.orElse(1);
        if (steps > Integer.MAX_VALUE) {
            throw new TooLargeException(
                    "a chain takes at most " + Integer.MAX_VALUE + " steps, and " + draws + "·" + thin.orElse(1)
                            + " are " + steps,
                    List.of((long) draws, (long) thin.orElse(1)));
        }
    }

    /** From random starts; the same seed gives the same draws. */
    public Posterior run(long seed) {
        requireRoom();
        Key[] keys = Key.of(seed).split(2);
        try (Scope scope = Scope.open()) {
            Bounded free = new Bounded(density, supports);
            return run(keys[1], free, Starts.random(keys[0], free, chains, dimensions()));
        }
    }

    /** From given starts, [chains, dimensions], within the bounds. */
    public Posterior run(long seed, Tensor start) {
        requireRoom();
        try (Scope scope = Scope.open()) {
            Check.require(
                    Arrays.equals(start.shape(), new long[] {chains, dimensions()}),
                    "start",
                    "must have the shape " + Arrays.toString(new long[] {chains, dimensions()})
                            + ", a row for each chain; found " + Arrays.toString(start.shape()));
            Bounded free = new Bounded(density, supports);
            Tensor u = free.unconstrain(start.to(DType.DOUBLE));
            Check.require(u.allFinite(), "start", "must lie within the bounds, and be finite");
            Key[] keys = Key.of(seed).split(2);
            return run(keys[1], free, Starts.given(keys[0], free, u));
        }
    }

    private Posterior run(Key key, Bounded bounded, Tensor u) {
        boolean free = supports.stream().allMatch(Support::unbounded);
        LogDensity target = free ? density : bounded;
        Key[] keys = key.split(3);
        Tensor begin = exchange.map(before -> before.run(keys[2], target, u)).orElse(u);
        AdaptiveWarmUp warming = new AdaptiveWarmUp(warmUp, method == Method.MALA, correlated);
        WarmUp<Evaluated> warm = warming.run(keys[0], target, begin, 1);
        JitteredHmc kernel = (JitteredHmc) warm.kernel();
        ThinnedDraws drawn = new ThinnedDraws(keys[1], kernel, target, warm.x(), draws, thin);
        return new Posterior(
                free ? drawn.trace : drawn.trace.mapped(bounded::constrain),
                names,
                kernel,
                drawn.thin(),
                drawn.acceptance(),
                method == Method.MALA ? 0 : drawn.divergences());
    }
}

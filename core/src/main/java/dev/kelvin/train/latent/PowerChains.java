package dev.kelvin.train.latent;

import dev.kelvin.energy.LatentModel;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.energy.PowerPosterior;
import dev.kelvin.nn.Parameters;
import dev.kelvin.sample.DifferentiableKernel;
import dev.kelvin.sample.Kernel;
import dev.kelvin.sample.Swaps;
import dev.kelvin.sample.chain.ChainRun;
import dev.kelvin.sample.chain.RecordedChainRun;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Parallel;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import dev.kelvin.train.Recordings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Chains of latent vectors for a batch of samples, at all temperatures in one batch, the highest t first: row r is of sample
 * r mod n. They start at N(0, σ₀²I); on request neighbouring temperatures exchange their chains on the way.
 *
 * <p>On a GPU chains that run from start to end without a stop are recorded when they come a second time, and played from
 * then on with other samples and temperatures, on parameters that may have changed in place.
 */
final class PowerChains implements AutoCloseable {
    private final LatentModel model;
    private final Parameters alpha;
    private final Parameters beta;
    private final PosteriorChains settings;
    private final int exchangeEvery;
    private final Recordings<List<Long>, Recorded> recordings =
            new Recordings<>("Posterior chains", 1, Recorded::close);

    /** Some moves of all chains, where they stood before each if that is kept, and the exchange after them. */
    private record Segment(Key key, int from, List<Tensor> states, List<Swaps> exchange) {}

    /** Where the chains end, and how they came there. */
    record Ends(Tensor z, OptionalDouble acceptance, List<Segment> segments) {
        /** How often neighbouring temperatures exchanged their chains, where they were to. */
        OptionalDouble exchanged() {
            return segments.stream()
                    .flatMap(segment -> segment.exchange.stream())
                    .flatMapToDouble(swaps -> Arrays.stream(swaps.rates()))
                    .average();
        }
    }

    /** Of both networks' parameters. */
    record Gradient(Tensor alpha, Tensor beta) {}

    /** A walk on the posteriors of samples at their temperatures, which are written over before it is played. */
    private record Recorded(Tensor samples, Tensor t, RecordedChainRun walk) implements AutoCloseable {
        ChainRun run(Key key, Tensor x, Tensor temperatures, Tensor z) {
            samples.copyInPlace(x);
            t.copyInPlace(temperatures);
            return walk.run(key, z, Optional.empty());
        }

        @Override
        public void close() {
            walk.close();
            samples.close();
            t.close();
        }
    }

    /** Chains of a model with these parameters, which stay the caller's; {@code exchangeEvery} is 0 for no exchanges. */
    PowerChains(LatentModel model, Parameters alpha, Parameters beta, PosteriorChains settings, int exchangeEvery) {
        this.model = model;
        this.alpha = alpha;
        this.beta = beta;
        this.settings = settings;
        this.exchangeEvery = exchangeEvery;
    }

    /** The samples, once for each temperature. */
    static Tensor repeated(Tensor x, int times) {
        return times == 1 ? x : Tensors.concat(0, Collections.nCopies(times, x));
    }

    /** The temperatures of all rows, [n · times], in double. */
    static Tensor perRow(double[] descending, Tensor x) {
        int n = (int) x.size(0);
        double[] rows = new double[n * descending.length];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = descending[i / n];
        }
        return Tensors.of(rows).to(x.device());
    }

    /** Runs them at these temperatures, from the highest on; keeps every state where a gradient through them is wanted. */
    Ends run(Key key, Tensor x, boolean kept, double... descending) {
        Key[] keys = key.split(3);
        int times = descending.length;
        int steps = settings.steps();
        Tensor samples = repeated(x, times);
        Tensor t = perRow(descending, x);
        List<Tensor> starts = IntStream.range(0, times)
                .mapToObj(i -> model.gaussian(keys[0].child(i), x, x.size(0)))
                .toList();
        Tensor z = times == 1 ? starts.get(0) : Tensors.concat(0, starts);
        List<Segment> segments = new ArrayList<>();
        double accepted = 0;
        boolean judged = false;
        int every = exchangeEvery == 0 || times == 1 ? steps : exchangeEvery;
        for (int from = 0; from < steps; from += every) {
            int count = Math.min(every, steps - from);
            List<Tensor> states = new ArrayList<>();
            for (int step = from; step < from + count; step += kept ? 1 : count) {
                states.add(z);
                int moves = kept ? 1 : count;
                ChainRun walk = walk(keys[1], samples, t, z, step, moves);
                if (walk.acceptance().isPresent()) {
                    judged = true;
                    accepted += walk.acceptance().getAsDouble() * moves / steps;
                }
                z = walk.x();
            }
            List<Swaps> exchange = List.of();
            if (every < steps && from + count < steps) {
                double[] values = model.likelihood(beta, samples).at(z).toDoubles();
                Swaps swaps = Swaps.of(keys[2].child(from), values, descending);
                z = z.rows(swaps.order());
                exchange = List.of(swaps);
            }
            segments.add(new Segment(keys[1], from, kept ? states : List.of(), exchange));
        }
        return new Ends(z, judged ? OptionalDouble.of(accepted) : OptionalDouble.empty(), segments);
    }

    private ChainRun walk(Key key, Tensor samples, Tensor t, Tensor z, int from, int moves) {
        Kernel<?> kernel = settings.kernel();
        Supplier<ChainRun> now = () -> ChainRun.inHalves(key, kernel, posterior(samples, t), z, from, moves);
        if (!z.device().cuda() || !kernel.traits().recordable() || moves < settings.steps()) {
            return now.get();
        }
        List<Long> shape = Arrays.stream(samples.shape()).boxed().toList();
        return recordings
                .of(shape, () -> recorded(key, samples, t, z))
                .map(recorded -> recorded.run(key, samples, t, z))
                .orElseGet(now);
    }

    private Recorded recorded(Key key, Tensor x, Tensor temperatures, Tensor z) {
        Tensor samples = Scope.detach(x.copy());
        Tensor t = Scope.detach(temperatures.copy());
        try {
            ChainRun.Course all = ChainRun.Course.of(settings.steps());
            return new Recorded(
                    samples, t, RecordedChainRun.of(key, settings.kernel(), () -> posterior(samples, t), z, all));
        } catch (RuntimeException | Error e) {
            samples.close();
            t.close();
            throw e;
        }
    }

    private PowerPosterior posterior(Tensor samples, Tensor t) {
        return model.posterior(alpha, beta, samples, t);
    }

    /**
     * From weights on the chains' ends back to the parameters, through every move: one at a time, taken again with its graph,
     * so that the memory is that of one move.
     */
    Gradient back(Ends ends, Tensor x, Tensor weights, double... descending) {
        DifferentiableKernel<?> moves = (DifferentiableKernel<?>) settings.kernel();
        Tensor all = repeated(x, descending.length);
        Tensor t = perRow(descending, x);
        Tensor ofAlpha = Tensors.zerosLike(alpha.flat());
        Tensor ofBeta = Tensors.zerosLike(beta.flat());
        Tensor lambda = weights;
        for (int i = ends.segments.size() - 1; i >= 0; i--) {
            Segment segment = ends.segments.get(i);
            for (Swaps swaps : segment.exchange) {
                lambda = lambda.rows(swaps.inverse());
            }
            for (int move = segment.states.size() - 1; move >= 0; move--) {
                int step = segment.from + move;
                Tensor z = segment.states.get(move);
                Tensor after = lambda;
                List<ChainRun.Part> parts = ChainRun.parts(segment.key, settings.kernel(), z);
                IntFunction<List<Tensor>> half = which -> {
                    ChainRun.Part part = parts.get(which);
                    try (Scope scope = Scope.open()) {
                        Parameters a = alpha.live();
                        Parameters b = beta.live();
                        LogDensity density = model.posterior(a, b, part.of(all), part.of(t));
                        Tensor leaf = part.of(z).asLeaf();
                        Tensor moved = moves.moved(part.key().child(step), density, leaf, step);
                        return Parameters.gradients(moved, part.of(after), List.of(leaf), List.of(a, b)).stream()
                                .map(Scope::detach)
                                .toList();
                    }
                };
                List<List<Tensor>> found = parts.size() == 1 ? List.of(half.apply(0)) : Parallel.halves(half);
                found.forEach(each -> each.forEach(Scope::adopt));
                found.forEach(each -> {
                    ofAlpha.addInPlace(each.get(1));
                    ofBeta.addInPlace(each.get(2));
                });
                lambda = found.size() == 1
                        ? found.get(0).get(0)
                        : Tensors.concat(0, found.get(0).get(0), found.get(1).get(0));
            }
        }
        return new Gradient(ofAlpha, ofBeta);
    }

    @Override
    public void close() {
        recordings.close();
    }
}

package dev.kelvin.train;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kelvin.distributed.Ranks;
import dev.kelvin.distributed.Shards;
import dev.kelvin.distributed.ThreadRanks;
import dev.kelvin.energy.EnergyModel;
import dev.kelvin.energy.LogitHead;
import dev.kelvin.energy.Timeline;
import dev.kelvin.negative.Batch;
import dev.kelvin.negative.Buffer;
import dev.kelvin.negative.ComponentSteps;
import dev.kelvin.negative.ModelChains;
import dev.kelvin.negative.NegativeSource;
import dev.kelvin.negative.PlainChains;
import dev.kelvin.negative.ReplayBuffer;
import dev.kelvin.negative.SampleSource;
import dev.kelvin.negative.SeveralSources;
import dev.kelvin.negative.Start;
import dev.kelvin.negative.Steps;
import dev.kelvin.nn.Activation;
import dev.kelvin.nn.Mlp;
import dev.kelvin.objective.Contrastive;
import dev.kelvin.objective.JointObjective;
import dev.kelvin.objective.Kl;
import dev.kelvin.objective.Objective;
import dev.kelvin.objective.Objectives;
import dev.kelvin.objective.Smoothing;
import dev.kelvin.objective.Term;
import dev.kelvin.objective.Trimmed;
import dev.kelvin.optim.Adamw;
import dev.kelvin.optim.Optimiser;
import dev.kelvin.optim.Sam;
import dev.kelvin.sample.Kernel;
import dev.kelvin.sample.Langevin;
import dev.kelvin.sample.Mala;
import dev.kelvin.sample.ParticleSets;
import dev.kelvin.sample.Svgd;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.train.checkpoint.Checkpoints;
import dev.kelvin.train.checkpoint.RankStates;
import dev.kelvin.train.checkpoint.SavedStates;
import dev.kelvin.train.loop.Trainer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import java.util.function.ToDoubleFunction;

/** Small runs whose batch of 16 is cut into four shards, by ranks that are threads. */
public final class ShardedRun {
    static final int SHARDS = 4;
    static final long ITERATIONS = 20;
    private static final long EVERY = 10;
    private static final int OTHERS = 8; // rows for the label term alone

    private static final SampleSource NOISE = SampleSource.gaussian(List.of(), 1, List.of(2L), Device.CPU);
    private static final Timeline TIMELINE = new Timeline(8, List.of(), 1.2, true, true);
    private static final EnergyModel TIMES = new EnergyModel(new Mlp(2, List.of(16), 7, Activation.SILU, 0), TIMELINE);
    private static final EnergyModel CLASSES =
            new EnergyModel(new Mlp(2, List.of(12), 2, Activation.SILU, 0), new LogitHead(2));

    private ShardedRun() {}

    /** What goes together with shards; the key decides what a learner is born with. */
    public enum Kind {
        /** Weights over the whole batch, MALA's acceptance, a buffer, an average. */
        ROBUST,
        /** Ranks over the whole batch, and two sources, each with a buffer. */
        TRIMMED,
        /** SAM, an α that adapts itself, rows of its own for the label term, a buffer. */
        JOINT,
        /** Each class alone, weighed over the whole batch, with a slot for each class. */
        GIVEN,
        /** Times, pairs with components that are drawn, step sizes adapted by all shards together. */
        TIME,
        /** A gradient through the sampler, and its entropy by the buffer. */
        KL,
        /** Particles that push each other, in a set for each shard. */
        PARTICLES
    }

    /** A rank's learner. */
    static Learner learner(Kind kind, Key key, Shards shards) {
        Optimiser adam = Adamw.of(1e-3);
        return switch (kind) {
            case ROBUST -> learner(TinyRun.MODEL, kind, Objectives.robust(0.5), List.of(), adam, key, shards);
            case TRIMMED ->
                learner(TinyRun.MODEL, kind, new Trimmed(0.3, new Contrastive(0.1, 0)), List.of(), adam, key, shards);
            case JOINT -> {
                Smoothing alpha = new Smoothing(5, Optional.of(new Smoothing.Adaptive(0.5, 4, 0.8)));
                yield learner(
                        CLASSES,
                        kind,
                        new JointObjective.CdCe(Objectives.robust(0.2), 0.7, alpha),
                        List.of(),
                        new Sam(adam, 0.05, true),
                        key,
                        shards);
            }
            case GIVEN ->
                learner(
                        CLASSES,
                        kind,
                        new JointObjective.ConditionalCd(Objectives.robust(0.3)),
                        List.of(),
                        adam,
                        key,
                        shards);
            case TIME ->
                learner(TIMES, kind, new JointObjective.JointCd(new Contrastive()), List.of(), adam, key, shards);
            case KL ->
                learner(
                        TinyRun.MODEL,
                        kind,
                        new Contrastive(0.01, 0),
                        List.of(new Kl(1, 1, Optional.of(new Kl.Entropy(0.3, 10, 0)))),
                        new Sam(adam, 0.05, false),
                        key,
                        shards);
            case PARTICLES -> learner(TinyRun.MODEL, kind, new Contrastive(), List.of(), adam, key, shards);
        };
    }

    private static Learner learner(
            EnergyModel model,
            Kind kind,
            Objective objective,
            List<Term> terms,
            Optimiser optimiser,
            Key key,
            Shards shards) {
        ComponentSteps steps = ComponentSteps.shared(new ComponentSteps.Adapt(0.6), TIMELINE.firstSteps());
        return new EnergyLearner(
                model,
                shards.own()
                        .mapToObj(shard -> source(kind, key.child(1).child(shard), steps))
                        .toList(),
                shards,
                objective,
                terms,
                new EnergyLearner.Settings(TinyRun.BATCH, 1),
                new Descent(model.layout().init(key.child(0), DType.FLOAT), optimiser, ITERATIONS, 0.9));
    }

    /** Four chains of a shard. */
    private static NegativeSource source(Kind kind, Key key, ComponentSteps steps) {
        return switch (kind) {
            case ROBUST -> persistent(key, Mala.of(0.1), 1);
            case TRIMMED ->
                new SeveralSources(List.of(
                        new SeveralSources.Part(persistent(key, Mala.of(0.1), 1), 3),
                        new SeveralSources.Part(persistent(key.child(1), Langevin.of(0.01), 1), 1)));
            case GIVEN -> persistent(key, Langevin.of(0.01), 2);
            case TIME ->
                new ModelChains(
                        new Start.BatchStart(0).draws(List.of(2L), NOISE, Device.CPU),
                        Mala.of(0.1),
                        Steps.of(2),
                        Optional.empty(),
                        Optional.of(steps));
            case PARTICLES -> PlainChains.fresh(NOISE, ParticleSets.of(Svgd.of(0.1), 4), 2);
            case JOINT, KL -> persistent(key, Langevin.of(0.01), 1);
        };
    }

    private static ModelChains persistent(Key key, Kernel<?> kernel, int kept) {
        Buffer settings = Buffer.of(12, ReplayBuffer.Entry.RESERVOIR, 0.1);
        return PlainChains.persistent(
                NOISE, kernel, 2, new ReplayBuffer(key, NOISE, settings, Optional.empty(), kept, kept));
    }

    private static BatchSource positives(Kind kind) {
        BatchSource plain = BatchSource.fresh(TinyRun.DATA);
        return switch (kind) {
            case TIME -> plain.over(TIMELINE);
            case JOINT -> (key, step, count) -> sides(key, count).labelledBy(sides(key.child(1), OTHERS));
            case GIVEN -> (key, step, count) -> sides(key, count);
            default -> plain;
        };
    }

    private static Batch sides(Key key, int count) {
        Tensor x = TinyRun.DATA.draw(key, count);
        double[] firsts = x.select(1, 0).toDoubles();
        return new Batch(
                x, Arrays.stream(firsts).mapToLong(first -> first > 0 ? 1 : 0).toArray());
    }

    /** Goes on with a run in a folder by so many ranks, born with this key, until the end or until a rank wants to stop. */
    static Trainer.Outcome run(
            Kind kind, int size, Key key, Path folder, Recorder recorder, IntFunction<BooleanSupplier> stops)
            throws IOException {
        return together(size, ranks -> {
            try (Learner learner = learner(kind, key, new Shards(SHARDS, ranks))) {
                return trainer(positives(kind), learner, folder, recorder, ranks)
                        .run(stops.apply(ranks.rank()));
            }
        });
    }

    /** A rank's trainer; the first one's has a score and a listener, and saves. */
    static Trainer trainer(BatchSource positives, Learner learner, Path folder, TrainListener listener, Ranks ranks) {
        Optional<SavedStates> kept = ranks.first() ? Optional.of(new Checkpoints(folder)) : Optional.empty();
        Optional<ToDoubleFunction<Learner>> score =
                Optional.of(any -> any.averaged().flat().norm().item());
        return new Trainer(
                TinyRun.settings(ITERATIONS, EVERY),
                positives,
                learner,
                ranks.size() == 1 ? kept.orElseThrow() : new RankStates(kept, ranks),
                score.filter(any -> ranks.first()),
                ranks.first() ? listener : new TrainListener() {},
                () -> 0, // nothing is saved because of the time
                ranks);
    }

    /** What a rank does. */
    interface Work<T> {
        T done(Ranks ranks) throws IOException;
    }

    /** What the first of so many threads made, which leave when they fail; its own failure comes first. */
    static <T> T together(int size, Work<T> work) throws IOException {
        List<Ranks> all = size == 1 ? List.of(Ranks.ALONE) : ThreadRanks.of(size);
        List<CompletableFuture<T>> others = all.stream()
                .skip(1)
                .map(ranks -> {
                    CompletableFuture<T> made = new CompletableFuture<>();
                    Thread thread = new Thread(() -> complete(made, work, ranks), "rank-" + ranks.rank());
                    thread.setDaemon(true);
                    thread.start();
                    return made;
                })
                .toList();
        CompletableFuture<T> first = new CompletableFuture<>();
        complete(first, work, all.get(0));
        List<Throwable> failures = java.util.stream.Stream.concat(java.util.stream.Stream.of(first), others.stream())
                .flatMap(made -> made.handle((done, failure) -> Optional.ofNullable(failure)).join().stream())
                .toList();
        if (!failures.isEmpty()) {
            Throwable failure = failures.get(0);
            failures.stream().skip(1).forEach(failure::addSuppressed);
            if (failure instanceof RuntimeException known) {
                throw known;
            }
            throw new UncheckedIOException(new IOException(failure));
        }
        T made = first.join();
        others.forEach(other -> assertThat(other.join()).isEqualTo(made));
        return made;
    }

    private static <T> void complete(CompletableFuture<T> made, Work<T> work, Ranks ranks) {
        try {
            made.complete(work.done(ranks));
        } catch (IOException | RuntimeException | Error e) {
            made.completeExceptionally(e);
        } finally {
            ranks.close();
        }
    }
}

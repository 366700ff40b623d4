package dev.kelvin.train;

import dev.kelvin.energy.EnergyModel;
import dev.kelvin.energy.LogitHead;
import dev.kelvin.energy.Timeline;
import dev.kelvin.energy.analytic.GaussianMixture;
import dev.kelvin.negative.Batch;
import dev.kelvin.negative.Buffer;
import dev.kelvin.negative.ComponentSteps;
import dev.kelvin.negative.ModelChains;
import dev.kelvin.negative.NegativeSource;
import dev.kelvin.negative.PlainChains;
import dev.kelvin.negative.ReplayBuffer;
import dev.kelvin.negative.SampleSource;
import dev.kelvin.negative.Start;
import dev.kelvin.negative.Steps;
import dev.kelvin.nn.Activation;
import dev.kelvin.nn.Mlp;
import dev.kelvin.objective.Contrastive;
import dev.kelvin.objective.JointObjective;
import dev.kelvin.objective.Objective;
import dev.kelvin.objective.Objectives;
import dev.kelvin.objective.Smoothing;
import dev.kelvin.optim.Adamw;
import dev.kelvin.optim.Optimiser;
import dev.kelvin.optim.Sam;
import dev.kelvin.optim.Schedule;
import dev.kelvin.optim.Sgd;
import dev.kelvin.sample.Kernel;
import dev.kelvin.sample.Langevin;
import dev.kelvin.sample.Mala;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.train.loop.Guard;
import dev.kelvin.train.loop.Trainer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/** Runs that are real but small: MLP 2-16-1, 16 points a batch. */
public final class TinyRun {
    public static final int BATCH = 16;
    public static final EnergyModel MODEL = EnergyModel.plain(new Mlp(2, List.of(16), 1, Activation.LEAKY_RELU, 0.05));

    /** Two blobs. */
    public static final SampleSource DATA =
            GaussianMixture.isotropic(0.3, new double[][] {{-1, 0}, {1, 0}}, 1, 1)::draw;

    private static final SampleSource NOISE = SampleSource.gaussian(List.of(), 1, List.of(2L), Device.CPU);

    private TinyRun() {}

    /** The kinds of learner that a resumed run must continue; the key decides what they are born with. */
    public enum Kind {
        /** Contrastive divergence with noise starts, plain AdamW. */
        FRESH,
        /** Persistent, reservoir, with average, warm-up, cosine and gradient limit. */
        PERSISTENT,
        /** Persistent, first in first out, MALA, robust objective, Nesterov momentum. */
        ROBUST,
        /** Two classes, each blob one, with a buffer. */
        CLASSES,
        /** Time-joint with adapted step sizes, from the batch, along chains that grow. */
        TIME,
        /** A joint energy model: SAM, an α that adapts itself, rows of its own for the label term, buffer and average. */
        JOINT
    }

    private static final EnergyModel BY_CLASS =
            new EnergyModel(new Mlp(2, List.of(16), 2, Activation.LEAKY_RELU, 0.05), new LogitHead(2));

    private static final EnergyModel JOINTLY =
            new EnergyModel(new Mlp(2, List.of(12), 2, Activation.SILU, 0), new LogitHead(2));

    private static final Timeline TIMELINE = new Timeline(8, List.of(), 1.2, true, true);

    private static final EnergyModel TIMES = new EnergyModel(new Mlp(2, List.of(16), 7, Activation.SILU, 0), TIMELINE);

    /** Each step's batch; its classes are the sides of the plane, its times any. */
    public static BatchSource positives(EnergyModel model) {
        BatchSource plain = BatchSource.fresh(DATA);
        if (model.equals(TIMES)) {
            return plain.over(TIMELINE);
        }
        if (model.equals(JOINTLY)) {
            return (key, step, count) -> sides(key, count).labelledBy(sides(key.child(1), count - 3));
        }
        return model.equals(BY_CLASS) ? (key, step, count) -> sides(key, count) : plain;
    }

    private static Batch sides(Key key, int count) {
        Tensor x = DATA.draw(key, count);
        double[] firsts = x.select(1, 0).toDoubles();
        return new Batch(
                x, Arrays.stream(firsts).mapToLong(first -> first > 0 ? 1 : 0).toArray());
    }

    public static Learner learner(Kind kind, Key key, long iterations) {
        Adamw adam = Adamw.of(1e-3);
        return switch (kind) {
            case FRESH ->
                learner(
                        MODEL,
                        PlainChains.fresh(NOISE, Langevin.of(0.01), 2),
                        new Contrastive(0.01, 0),
                        descent(MODEL, key, adam, iterations, 0));
            case PERSISTENT -> {
                Adamw limited =
                        new Adamw(1e-3, 0.9, 0.999, 1e-8, 0.01, new Schedule.Cosine(0.1, 5), OptionalDouble.of(0.5));
                yield learner(
                        MODEL,
                        persistent(key, ReplayBuffer.Entry.RESERVOIR, Langevin.of(0.01)),
                        new Contrastive(),
                        descent(MODEL, key, limited, iterations, 0.99));
            }
            case ROBUST -> {
                Sgd momentum = new Sgd(1e-3, 0.9, true, 0, new Schedule.Step(10, 0.5, 0, 0), OptionalDouble.empty());
                yield learner(
                        MODEL,
                        persistent(key, ReplayBuffer.Entry.FIFO, Mala.of(0.1)),
                        Objectives.robust(0.5),
                        descent(MODEL, key, momentum, iterations, 0.9));
            }
            case CLASSES -> {
                ReplayBuffer buffer = new ReplayBuffer(
                        key.child(1), NOISE, Buffer.of(50, ReplayBuffer.Entry.RESERVOIR, 0.1), Optional.empty(), 2, 2);
                yield learner(
                        BY_CLASS,
                        PlainChains.persistent(NOISE, Langevin.of(0.01), 2, buffer),
                        new Contrastive(),
                        descent(BY_CLASS, key, adam, iterations, 0.9));
            }
            case JOINT -> {
                Smoothing alpha = new Smoothing(5, Optional.of(new Smoothing.Adaptive(0.5, 4, 0.8)));
                yield learner(
                        JOINTLY,
                        persistent(key, ReplayBuffer.Entry.FIFO, Langevin.of(0.01)),
                        new JointObjective.CdCe(Objectives.robust(0.2), 0.7, alpha),
                        descent(JOINTLY, key, new Sam(adam, 0.05, true), iterations, 0.9));
            }
            case TIME ->
                learner(
                        TIMES,
                        fromTheBatch(Mala.of(0.1), new Steps(1, OptionalInt.of(4), 2, 9), TIMELINE),
                        new JointObjective.JointCd(new Contrastive()),
                        descent(TIMES, key, adam, iterations, 0.9));
        };
    }

    private static Learner learner(EnergyModel model, NegativeSource source, Objective objective, Descent descent) {
        return PlainLearner.of(model, source, objective, BATCH, descent);
    }

    private static Descent descent(EnergyModel model, Key key, Optimiser optimiser, long iterations, double ema) {
        return new Descent(model.layout().init(key.child(0), DType.FLOAT), optimiser, iterations, ema);
    }

    private static NegativeSource persistent(Key key, ReplayBuffer.Entry entry, Kernel<?> kernel) {
        return PlainChains.persistent(
                NOISE,
                kernel,
                2,
                new ReplayBuffer(key.child(1), NOISE, Buffer.of(50, entry, 0.1), Optional.empty(), 1, 1));
    }

    /** Short chains from the positives, at step sizes adapted to each time. */
    static ModelChains fromTheBatch(Mala mala, Steps steps, Timeline timeline) {
        SampleSource batch = new Start.BatchStart(0).draws(List.of(2L), NOISE, Device.CPU);
        return new ModelChains(
                batch,
                mala,
                steps,
                Optional.empty(),
                Optional.of(new ComponentSteps(new ComponentSteps.Adapt(0.6), timeline.firstSteps())));
    }

    public static Trainer.Settings settings(long iterations, long every) {
        return new Trainer.Settings(iterations, BATCH, every, 3, new Guard.Settings(1e6, 5, 3));
    }
}

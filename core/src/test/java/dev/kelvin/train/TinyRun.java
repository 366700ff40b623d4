package dev.kelvin.train;

import dev.kelvin.energy.EnergyModel;
import dev.kelvin.energy.GaussianMixture;
import dev.kelvin.negative.Batch;
import dev.kelvin.negative.Draws;
import dev.kelvin.negative.ModelChains;
import dev.kelvin.negative.NegativeSource;
import dev.kelvin.negative.ReplayBuffer;
import dev.kelvin.nn.Activation;
import dev.kelvin.nn.Mlp;
import dev.kelvin.nn.Parameters;
import dev.kelvin.objective.Contrastive;
import dev.kelvin.objective.Robust;
import dev.kelvin.optim.Adam;
import dev.kelvin.optim.Schedule;
import dev.kelvin.optim.Sgd;
import dev.kelvin.sample.Langevin;
import dev.kelvin.sample.Mala;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Tensor;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;

/** Runs that are real but small: MLP 2-16-1, 16 points a batch. */
final class TinyRun {
    static final int BATCH = 16;
    static final ScalarEnergy MODEL = EnergyModel.plain(new Mlp(2, List.of(16), 1, new Activation.LeakyRelu(0.05)));

    /** Two blobs. */
    static final Draws DATA = GaussianMixture.isotropic(0.3, new double[][] {{-1, 0}, {1, 0}}, 1, 1)::draw;

    private static final Draws NOISE = Draws.gaussian(List.of(), 1, List.of(2L), Device.CPU);

    private TinyRun() {}

    /** The kinds of learner that a resumed run must continue; the key decides what they are born with. */
    enum Kind {
        /** Contrastive divergence with noise starts, plain Adam. */
        FRESH,
        /** Persistent, reservoir, with average, warm-up, cosine and gradient limit. */
        PERSISTENT,
        /** Persistent, first in first out, MALA, robust objective, Nesterov momentum. */
        ROBUST,
        /** Two classes, each blob one, with a buffer. */
        CLASSES,
        /** Time-joint with adapted step sizes. */
        TIME
    }

    private static final ClassEnergy BY_CLASS =
            new ClassEnergy(new Mlp(2, List.of(16), 2, Activation.LEAKY_RELU, 0.05), 2);

    /** Each step's batch; its classes are the sides of the plane. */
    static Positives positives(EnergyModel model) {
        return !model.equals(BY_CLASS)
                ? Positives.fresh(DATA)
                : (key, step, count) -> {
                    Tensor x = DATA.draw(key, count);
                    double[] firsts = x.select(1, 0).toDoubles();
                    return new Batch(
                            x,
                            Arrays.stream(firsts)
                                    .mapToLong(first -> first > 0 ? 1 : 0)
                                    .toArray());
                };
    }

    private static final TimeEnergy TIMES =
            new TimeEnergy(new Mlp(2, List.of(16), 7, Activation.SILU, 0.05), 8, List.of(), 1.2, true);

    static Learner learner(Kind kind, Key key, long iterations) {
        EnergyModel model = kind == Kind.TIME ? TIMES : kind == Kind.CLASSES ? BY_CLASS : MODEL;
        Parameters parameters = model.layout().init(key.child(0), DType.FLOAT);
        Adam.Settings adam = new Adam.Settings(0.9, 0.999, 1e-8, 0.01, true);
        return switch (kind) {
            case FRESH ->
                new EnergyLearner(
                        MODEL,
                        ModelChains.fresh(NOISE, Langevin.at(0.01, 1), 2),
                        new Contrastive().plusSquares(0.01),
                        BATCH,
                        new Descent(
                                parameters,
                                new Adam(parameters.flat(), adam),
                                new Descent.Settings(
                                        1e-3, Schedule.constant(), iterations, OptionalDouble.empty(), 0)));
            case PERSISTENT ->
                new EnergyLearner(
                        MODEL,
                        persistent(key, ReplayBuffer.Entry.RESERVOIR),
                        new Contrastive(),
                        BATCH,
                        new Descent(
                                parameters,
                                new Adam(parameters.flat(), adam),
                                new Descent.Settings(
                                        1e-3,
                                        Schedule.cosine(0.1).afterWarmup(5),
                                        iterations,
                                        OptionalDouble.of(0.5),
                                        0.99)));
            case ROBUST ->
                new EnergyLearner(
                        MODEL,
                        ModelChains.persistent(NOISE, new Mala(0.1, 1), 2, buffer(key, ReplayBuffer.Entry.FIFO)),
                        new Robust(0.5),
                        BATCH,
                        new Descent(
                                parameters,
                                new Sgd(parameters.flat(), 0.9, true, 0),
                                new Descent.Settings(
                                        1e-3, Schedule.step(10, 0.5), iterations, OptionalDouble.empty(), 0.9)));
            case CLASSES ->
                new EnergyLearner(
                        BY_CLASS,
                        ModelChains.persistent(
                                NOISE,
                                Langevin.at(0.01, 1),
                                2,
                                new ReplayBuffer(key.child(1), NOISE, 50, ReplayBuffer.Entry.RESERVOIR, 0.1, 2)),
                        new Contrastive(),
                        BATCH,
                        new Descent(
                                parameters,
                                new Adam(parameters.flat(), adam),
                                new Descent.Settings(
                                        1e-3, Schedule.constant(), iterations, OptionalDouble.empty(), 0.9)));
            case TIME ->
                new TimeLearner(
                        TIMES,
                        TimeObjective.JOINT_CD,
                        new TimeLearner.Sampling(new Mala(0.1, 1), 2, 0.6),
                        new Descent(
                                parameters,
                                new Adam(parameters.flat(), adam),
                                new Descent.Settings(
                                        1e-3, Schedule.constant(), iterations, OptionalDouble.empty(), 0.9)));
        };
    }

    private static NegativeSource persistent(Key key, ReplayBuffer.Entry entry) {
        return ModelChains.persistent(NOISE, Langevin.at(0.01, 1), 2, buffer(key, entry));
    }

    private static ReplayBuffer buffer(Key key, ReplayBuffer.Entry entry) {
        return new ReplayBuffer(key.child(1), NOISE, 50, entry, 0.1);
    }

    static Trainer.Settings settings(long iterations, long every) {
        return new Trainer.Settings(iterations, BATCH, every, 3, new Guard.Settings(1e6, 5, 3));
    }
}

package dev.kelvin.training;

import dev.kelvin.model.ChainSettings;
import dev.kelvin.model.SampleKind;
import dev.kelvin.model.ModelCard;
import dev.kelvin.model.Model;
import dev.kelvin.data.image.ImageSet;
import dev.kelvin.data.image.PixelRange;
import dev.kelvin.data.toy.ToyData;
import dev.kelvin.negative.SampleSource;
import dev.kelvin.negative.Start;
import dev.kelvin.nn.Activation;
import dev.kelvin.nn.Mlp;
import dev.kelvin.nn.Network;
import dev.kelvin.nn.conv.ShortRun;
import dev.kelvin.objective.Contrastive;
import dev.kelvin.objective.Objective;
import dev.kelvin.optim.Adam;
import dev.kelvin.optim.Adamw;
import dev.kelvin.optim.Optimiser;
import dev.kelvin.optim.Schedule;
import dev.kelvin.part.Check;
import dev.kelvin.sample.Kernel;
import dev.kelvin.sample.Langevin;
import dev.kelvin.sample.Mala;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.train.BatchSource;
import dev.kelvin.train.TrainListener;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;

/**
 * Trains a plain energy-based model, with a default for everything but the data: the front door for Java.
 *
 * <pre>{@code
 * try (Model model = ModelTraining.of(ToyData.named("moons")).run(0)) {
 *     double[] f = model.score(new double[][] {{0, 1}, {3, 3}});
 *     double[][] samples = model.sample(1, 1000);
 * }
 * }</pre>
 *
 * <p>By default the network is fully connected, persistent chains of MALA, whose step size is adapted, make the negatives, the
 * objective is contrastive divergence, and AdamW moves the parameters, of which an average is kept. To the network's output on
 * points log N(x; m, Σ) is added, with the data's mean and covariance ({@link dev.kelvin.nn.GaussianBase}), so that the density has a
 * tail whatever the network says. {@link #in} saves the run, so that it can be loaded, and be gone on with where it was
 * stopped. Models with classes, times or latent vectors, and what is judged and reported, are recipes' ({@code kelvin train}).
 *
 * @param data each step's batch
 * @param samples what the samples are
 * @param network of one output; it is {@link Network#shaped} for the samples, and under it points have a Gaussian
 * @param chains where negatives come from
 * @param objective the training objective
 * @param optimiser what moves the parameters
 * @param iterations the number of its steps
 * @param batch samples of the data, and of the model, in a step
 * @param folder where the run is saved; in memory alone where it is left out
 * @param listener is told of every step
 */
public record ModelTraining(
        BatchSource data,
        SampleKind samples,
        Network network,
        ChainSettings chains,
        Objective objective,
        Optimiser optimiser,
        int iterations,
        int batch,
        Optional<Path> folder,
        TrainListener listener) {
    private static final int TOY_POINTS = 10_000;

    /** Of points, about as in the recipe table. */
    private static final Network NETWORK = new Mlp(1, List.of(64, 64), 1, Activation.SILU, 0);

    private static final double STEP_SIZE = 0.2;
    private static final int STEPS = 8;
    private static final int BUFFER = 1000;
    private static final double ACCEPTANCE = 0.6;
    private static final double LEARNING_RATE = 5e-3;
    private static final double CLIP = 5;
    private static final int ITERATIONS = 2000;
    private static final int BATCH = 128;

    /** Of images, as in the recipe digits-shortrun-small. */
    private static final Network CONVOLUTIONS = new ShortRun(1, 4, 32, 1, Activation.LEAKY_RELU, 0.2);

    private static final double IMAGE_NOISE = 0.03;
    private static final double SHORT_RUN_NOISE = 0.01;
    private static final int SHORT_RUN = 30;
    private static final double SHORT_RUN_RATE = 2e-3;
    private static final int SHORT_RUN_ITERATIONS = 600;
    private static final int SHORT_RUN_BATCH = 64;

    public ModelTraining {
        Check.all(
                () -> Check.atLeast("iterations", iterations, 1),
                () -> Check.atLeast("batch", batch, 1),
                () -> Check.require(
                        chains.buffer() == 0 || chains.buffer() >= batch,
                        "buffer",
                        "must be at least " + batch + ", the number of negatives, found " + chains.buffer()),
                () -> Check.atLeast("batch", batch, objective.fewestPositives()),
                () -> chains.start().requireFit(samples.width()),
                () -> chains.kernel().requireFit(samples.width()),
                () -> objective.requireTemperature(temperature(chains)),
                () -> Check.require(
                        objective.labels() == 0 && objective.sampled(),
                        "objective",
                        "has a cross-entropy of classes, and this model has none: " + objective.words()),
                () -> Check.require(
                        samples.images().isPresent()
                                || (temperature(chains) == 1
                                        && !chains.kernel().traits().temperatureVaries()),
                        "kernel",
                        "must sample at temperature 1 on points, which have a Gaussian under the network: exp(f/T) would have"
                                + " another; found " + chains.kernel().words()),
                () -> Check.require(
                        samples.images().isPresent() || objective.l2() == 0,
                        "objective",
                        "cannot have an L2 penalty on f on points: f has the log-density of a Gaussian in it, which the"
                                + " penalty would undo"),
                () -> Check.require(
                        !chains.kernel().traits().interacting() || batch > 1,
                        "batch",
                        "must be at least 2 with particles that push each other"),
                () -> Check.require(
                        !chains.byComponent(), "byComponent", "is for models with classes, and this one has none"),
                () -> Check.require(
                        network.takesImages() == samples.images().isPresent(),
                        "network",
                        network.takesImages()
                                ? "takes images, and the data are points: " + network.words()
                                : "takes points, and the data are images: " + network.words()));
    }

    private static double temperature(ChainSettings chains) {
        return chains.kernel().traits().temperature().orElse(1);
    }

    /** The card of this training's model. */
    ModelCard card(long seed) {
        return ModelCard.plain(
                "ModelTraining",
                seed,
                samples,
                chains.in(batch, objective.samplingScale(), OptionalInt.empty()));
    }

    /** On {@value #TOY_POINTS} points of a toy set. */
    public static ModelTraining of(ToyData data) {
        try (Scope scope = Scope.open()) {
            double[] flat = data.draw(Key.of(0), TOY_POINTS, DType.DOUBLE).toDoubles();
            double[][] rows = new double[TOY_POINTS][];
            int width = data.dimension();
            Arrays.setAll(rows, i -> Arrays.copyOfRange(flat, i * width, (i + 1) * width));
            return of(rows);
        }
    }

    /**
     * On points or rows of one's own, in their own units: they are standardised for the model, whose scores and samples are not.
     */
    public static ModelTraining of(double[][] rows) {
        StandardisedRows points = new StandardisedRows(rows);
        return new ModelTraining(
                BatchSource.fresh(points.draws()),
                points.kind(),
                NETWORK,
                ChainSettings.fresh(new Start.GaussianStart(Optional.empty(), 1), Mala.of(STEP_SIZE), STEPS)
                        .withBuffer(BUFFER)
                        .withAdapt(ACCEPTANCE),
                new Contrastive(),
                Adamw.of(LEARNING_RATE).withSchedule(new Schedule.Cosine(0, 0)).withClipNorm(CLIP),
                ITERATIONS,
                BATCH,
                Optional.empty(),
                new TrainListener() {});
    }

    /**
     * On images, as pixels from −1 to 1 with a little noise: short runs of Langevin dynamics from uniform noise, and a small
     * convolutional network. The set must stay open until training ends.
     */
    public static ModelTraining of(ImageSet images) {
        PixelRange range = new PixelRange(-1, 1);
        SampleSource draws = (key, count) -> {
            RandomGenerator random = key.stream();
            long[] rows = LongStream.generate(() -> random.nextInt(images.count()))
                    .limit(count)
                    .toArray();
            return range.fromUnit(images.images(rows));
        };
        List<Long> shape = List.of((long) images.channels(), (long) images.height(), (long) images.width());
        Langevin kernel = Langevin.of(1).withNoise(SHORT_RUN_NOISE);
        return new ModelTraining(
                BatchSource.fresh(SampleSource.noisy(draws, IMAGE_NOISE)),
                new SampleKind.Images(shape, range, 0),
                CONVOLUTIONS,
                ChainSettings.fresh(new Start.UniformStart(range.low(), range.high()), kernel, SHORT_RUN),
                new Contrastive(),
                Adam.of(SHORT_RUN_RATE).withSchedule(new Schedule.Linear(0.5, 0.05, 0)),
                SHORT_RUN_ITERATIONS,
                SHORT_RUN_BATCH,
                Optional.empty(),
                new TrainListener() {});
    }

    /** With another network, of one's own say: it needs no registration unless the run is saved. */
    public ModelTraining withNetwork(Network other) {
        return new ModelTraining(
                data, samples, other, chains, objective, optimiser, iterations, batch, folder, listener);
    }

    /** With another training objective, such as one of one's own: from f at positives and negatives to a loss. */
    public ModelTraining withObjective(Objective other) {
        return new ModelTraining(
                data, samples, network, chains, other, optimiser, iterations, batch, folder, listener);
    }

    /** With another optimiser. */
    public ModelTraining withOptimiser(Optimiser other) {
        return new ModelTraining(
                data, samples, network, chains, objective, other, iterations, batch, folder, listener);
    }

    /** With other chains. */
    public ModelTraining withChains(ChainSettings other) {
        return new ModelTraining(
                data, samples, network, other, objective, optimiser, iterations, batch, folder, listener);
    }

    /** With chains that another kernel moves so often a step, at its own step size. */
    public ModelTraining withKernel(Kernel<?> kernel, int steps) {
        return withChains(chains.withKernel(kernel, steps));
    }

    /** With another number of steps of the optimiser. */
    public ModelTraining withIterations(int count) {
        return new ModelTraining(
                data, samples, network, chains, objective, optimiser, count, batch, folder, listener);
    }

    /** With another number of samples in a step. */
    public ModelTraining withBatch(int count) {
        return new ModelTraining(
                data, samples, network, chains, objective, optimiser, iterations, count, folder, listener);
    }

    /** With somebody who is told of every step, such as a progress bar. */
    public ModelTraining withListener(TrainListener other) {
        return new ModelTraining(
                data, samples, network, chains, objective, optimiser, iterations, batch, folder, other);
    }

    /**
     * Saved in a folder, which {@link Model#load} reads. A run that is there already, of the same data, settings and seed,
     * goes on, to the same bits as if it had never stopped, or to more iterations. One of other data, settings or seed, or of
     * more iterations, is refused, and so is a folder of other files; nothing is written then.
     */
    public ModelTraining in(Path run) {
        return new ModelTraining(
                data,
                samples,
                network,
                chains,
                objective,
                optimiser,
                iterations,
                batch,
                Optional.of(run),
                listener);
    }

    /**
     * Trains the model; the same seed gives the same one. Whoever asked for it closes it.
     *
     * @throws dev.kelvin.train.loop.DivergedException if the numbers break again and again
     * @throws IOException if the run can't be saved
     */
    public Model run(long seed) throws IOException {
        return new TrainingRun(this, seed).run();
    }
}

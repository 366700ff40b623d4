package dev.kelvin.training;

import dev.kelvin.data.image.ImageSet;
import dev.kelvin.data.image.PixelRange;
import dev.kelvin.data.table.NumberTable;
import dev.kelvin.data.table.scale.Scaling;
import dev.kelvin.data.toy.ToyData;
import dev.kelvin.model.ChainSettings;
import dev.kelvin.model.Model;
import dev.kelvin.model.SampleKind;
import dev.kelvin.model.TableProfile;
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
import dev.kelvin.part.InvalidInputException;
import dev.kelvin.sample.Kernel;
import dev.kelvin.sample.Langevin;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.train.TrainListener;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Trains a plain energy-based model, with a default for everything but the data: the front door for Java.
 *
 * <pre>{@code
 * try (Model model = ModelTraining.of(rows).run(0)) {
 *     double[] odd = model.quantile(new double[][] {{152.6, 13.9, 91.9}});
 * }
 * }</pre>
 *
 * <p>Rows are learnt as by {@code kelvin train table}, to the bit: some are held out, columns are scaled as suits them, every value
 * gets noise, log N(x; m, Σ) lies under a network whose width and length of training follow from the numbers of rows and columns
 * ({@link TableProfile}), persistent chains of MALA make the negatives, and of ten checkpoints the one counts under which the
 * held-out rows are likeliest. The model is judged by those rows, so that it has quantiles and, where log Z can be computed,
 * likelihoods. {@link #in} saves the run, so that it can be loaded, and be gone on with where it was stopped. Models with
 * classes, times or latent vectors, and reports, are recipes' ({@code kelvin train}).
 *
 * <p>A training is immutable: each {@code with} returns a changed copy. Many threads may run one training at once; runs in one
 * folder at once are not supported.
 */
public final class ModelTraining {
    private static final int TOY_POINTS = 10_000;
    private static final int TOY_ITERATIONS = 2000;
    private static final int TOY_BUFFER = 1000;
    private static final double TOY_RATE = 5e-3;
    private static final double IMAGE_NOISE = 0.03;
    private static final double SHORT_RUN_NOISE = 0.01;
    private static final int SHORT_RUN = 30;
    private static final double SHORT_RUN_RATE = 2e-3;
    private static final int SHORT_RUN_ITERATIONS = 600;
    private static final int SHORT_RUN_BATCH = 64;

    /** What is learnt: a table's rows, or draws of something else. */
    record Data(Optional<NumberTable> table, SampleKind kind, Optional<SampleSource> draws) {}

    /** What the caller has chosen; the rest follows from the data. */
    static final class Choices {
        Optional<Network> network = Optional.empty();
        UnaryOperator<ChainSettings> chains = UnaryOperator.identity();
        Objective objective = new Contrastive();
        Optional<Optimiser> optimiser = Optional.empty();
        OptionalInt iterations = OptionalInt.empty();
        OptionalInt batch = OptionalInt.empty();
        Optional<Path> folder = Optional.empty();
        TrainListener listener = new TrainListener() {};
    }

    private final Data data;
    private final TrainingPlan usual;
    private final Consumer<Choices> changes;

    private ModelTraining(Data data, TrainingPlan usual, Consumer<Choices> changes) {
        this.data = data;
        this.usual = usual;
        this.changes = changes;
        plan(choices()).check(data.kind);
    }

    /**
     * On two or more rows of one's own, in their own units: refused where one is null, of another width or has NaN, or a column
     * has one value alone.
     */
    public static ModelTraining of(double[][] rows) {
        if (rows == null) {
            throw new InvalidInputException("the rows are null; expected double[n][width]");
        }
        return of(Arrays.asList(rows).iterator());
    }

    /** On rows that are read once, one at a time, such as those of a database: see {@link #of(double[][])}. */
    public static ModelTraining of(Iterator<double[]> rows) {
        NumberTable table = NumberTable.of(rows);
        int[] all = IntStream.range(0, table.rows()).toArray();
        boolean scores = Scaling.suited(table, TableProfile.NOISE, all) == Scaling.Kind.NORMAL_SCORES;
        int heldOut = (int) Math.round(TableProfile.heldOut(table.rows()) * table.rows());
        TableProfile profile = TableProfile.of(Math.max(1, table.rows() - heldOut), table.width(), scores);
        Data data = new Data(Optional.of(table), SampleKind.Points.of(table.width()), Optional.empty());
        return new ModelTraining(data, TrainingPlan.of(profile), unchanged -> {});
    }

    /** On {@value #TOY_POINTS} points of a toy set, by a smaller network and fewer iterations than rows of that number. */
    public static ModelTraining of(ToyData toy) {
        double[][] rows = new double[TOY_POINTS][];
        try (Scope scope = Scope.open()) {
            double[] flat = toy.draw(Key.of(0), TOY_POINTS, DType.DOUBLE).toDoubles();
            int width = toy.dimension();
            Arrays.setAll(rows, i -> Arrays.copyOfRange(flat, i * width, (i + 1) * width));
        }
        return of(rows).withNetwork(new Mlp(1, List.of(64, 64), 1, Activation.SILU, 0))
                .with(changed -> changed.chains = chains -> chains.withBuffer(TOY_BUFFER))
                .withOptimiser(Adamw.of(TOY_RATE)
                        .withSchedule(new Schedule.Cosine(0, 0))
                        .withClipNorm(5))
                .withIterations(TOY_ITERATIONS);
    }

    /**
     * On images, as pixels from −1 to 1 with a little noise: short runs of Langevin dynamics from uniform noise, and a small
     * convolutional network, as in the recipe {@code digits-shortrun-small}. The set must stay open until training ends.
     */
    public static ModelTraining of(ImageSet images) {
        PixelRange range = new PixelRange(-1, 1);
        SampleSource draws = (key, count) -> {
            RandomGenerator random = key.stream();
            return range.fromUnit(images.images(LongStream.generate(() -> random.nextInt(images.count()))
                    .limit(count)
                    .toArray()));
        };
        List<Long> shape = List.of((long) images.channels(), (long) images.height(), (long) images.width());
        SampleKind kind = new SampleKind.Images(shape, range, 0);
        Start start = new Start.UniformStart(range.low(), range.high());
        TrainingPlan plan = new TrainingPlan(
                new ShortRun(1, 4, 32, 1, Activation.LEAKY_RELU, 0.2),
                Optional.empty(),
                ChainSettings.fresh(start, Langevin.of(1).withNoise(SHORT_RUN_NOISE), SHORT_RUN),
                new Contrastive(),
                Adam.of(SHORT_RUN_RATE).withSchedule(new Schedule.Linear(0.5, 0.05, 0)),
                SHORT_RUN_ITERATIONS,
                SHORT_RUN_BATCH,
                0.995,
                1);
        Optional<SampleSource> noisy = Optional.of(SampleSource.noisy(draws, IMAGE_NOISE));
        return new ModelTraining(new Data(Optional.empty(), kind, noisy), plan, unchanged -> {});
    }

    private ModelTraining with(Consumer<Choices> change) {
        return new ModelTraining(data, usual, changes.andThen(change));
    }

    /** With another network, of one's own say: it needs no registration unless the run is saved. */
    public ModelTraining withNetwork(Network other) {
        return with(changed -> changed.network = Optional.of(other));
    }

    /** With another training objective, such as one of one's own: from f at positives and negatives to a loss. */
    public ModelTraining withObjective(Objective other) {
        return with(changed -> changed.objective = other);
    }

    /** With another optimiser. */
    public ModelTraining withOptimiser(Optimiser other) {
        return with(changed -> changed.optimiser = Optional.of(other));
    }

    /** With other chains. */
    public ModelTraining withChains(ChainSettings other) {
        return with(changed -> changed.chains = chains -> other);
    }

    /** With chains that another kernel moves this many times in an iteration, at its own step size. */
    public ModelTraining withKernel(Kernel<?> kernel, int steps) {
        return with(changed -> {
            UnaryOperator<ChainSettings> before = changed.chains;
            changed.chains = chains -> before.apply(chains).withKernel(kernel, steps);
        });
    }

    /** With another number of steps of the optimiser. */
    public ModelTraining withIterations(int count) {
        return with(changed -> changed.iterations = OptionalInt.of(count));
    }

    /** With another number of samples, of the data and of the model, in an iteration. */
    public ModelTraining withBatch(int count) {
        return with(changed -> changed.batch = OptionalInt.of(count));
    }

    /** With somebody who is shown every step, such as a progress bar. */
    public ModelTraining withListener(TrainListener other) {
        return with(changed -> changed.listener = other);
    }

    /**
     * Saved in a folder, which {@link Model#load} reads. A run that is there already, of the same data, settings and seed,
     * goes on, to the same bits as if it had never stopped, or to more iterations. One of other data, settings or seed, or of
     * more iterations, is refused, and so is a folder of other files; nothing is written then.
     */
    public ModelTraining in(Path run) {
        return with(changed -> changed.folder = Optional.of(run));
    }

    private Choices choices() {
        Choices choices = new Choices();
        changes.accept(choices);
        return choices;
    }

    /** How it trains. */
    private TrainingPlan plan(Choices choices) {
        int batch = choices.batch.orElse(usual.batch());
        ChainSettings chains = usual.chains();
        boolean follows = chains.buffer() == usual.batch(); // all chains move in every iteration
        return new TrainingPlan(
                choices.network.orElse(usual.network()),
                usual.base(),
                choices.chains.apply(follows ? chains.withBuffer(batch) : chains),
                choices.objective,
                choices.optimiser.orElse(usual.optimiser()),
                choices.iterations.orElse(usual.iterations()),
                batch,
                usual.ema(),
                usual.checkpoints());
    }

    /**
     * Trains the model; the same seed gives the same one. Whoever asked for it closes it.
     *
     * @throws dev.kelvin.train.loop.DivergedException if the numbers break again and again
     */
    public Model run(long seed) throws IOException {
        Choices choices = choices();
        return new TrainingRun(data, plan(choices), choices, seed).model();
    }
}

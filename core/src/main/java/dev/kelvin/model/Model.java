package dev.kelvin.model;

import dev.kelvin.data.format.ImageFiles;
import dev.kelvin.data.format.ImageRows;
import dev.kelvin.data.format.Rows;
import dev.kelvin.data.image.ImageSet;
import dev.kelvin.data.image.PixelRange;
import dev.kelvin.data.table.PointRows;
import dev.kelvin.energy.EnergyModel;
import dev.kelvin.energy.JointDensity;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.energy.Timeline;
import dev.kelvin.metric.OddColumns;
import dev.kelvin.metric.OodScore;
import dev.kelvin.metric.Scores;
import dev.kelvin.negative.ComponentSteps;
import dev.kelvin.negative.ModelChains;
import dev.kelvin.negative.ReplayBuffer;
import dev.kelvin.negative.SampleSource;
import dev.kelvin.negative.Start;
import dev.kelvin.nn.Parameters;
import dev.kelvin.part.Check;
import dev.kelvin.part.InvalidInputException;
import dev.kelvin.sample.ChainState;
import dev.kelvin.sample.Kernel;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Memory;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.State;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.train.checkpoint.CheckpointChoice;
import dev.kelvin.train.latent.LatentDensity;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.Supplier;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * A trained model: its energy model, its parameters, and the {@link ModelCard} that says everything else. It scores and draws
 * samples, for Java and for the command line alike; it is loaded from a run's folder, made by {@code ModelTraining}, or, while
 * it is trained, that of a run.
 *
 * <pre>{@code
 * try (Model model = Model.load(Path.of("runs/rings"))) {
 *     double[] f = model.score(new double[][] {{0, 1}, {2, 2}}); // unnormalised: higher is likelier
 *     double[][] samples = model.sample(1, 100);
 * }
 * }</pre>
 *
 * <p>Rows of a table are in the table's own units, their {@link #columns} in their order: {@link #quantile(double[][])} says how
 * usual they are, {@link #oddColumns} what is odd about them, and {@link #impute} fills their NaN. Images come as they are
 * stored, or as rows of {@link #shape} values in the model's {@link #range}; a model with {@link #classes} tells theirs.
 *
 * <p>Input is checked: a row that is null or of another width, NaN, numbers that overflow, and pixels in other units are
 * refused with the row's number; no rows give no scores. A model may be used by many threads at once: nothing that it is asked
 * changes it, and the same seed gives the same samples whoever else asks. Only {@link #close} must be the last call.
 */
public final class Model implements AutoCloseable {
    /** The quantile of f up to which the model itself is asked for a row's odd column; a Gaussian is for the others. */
    public static final double ODD = 0.1;

    private static final String NOT_JUDGED =
            "this checkpoint was not judged, so there is nothing to compare f with: run 'kelvin evaluate' on the run";

    /** Chains by which a temperature is measured. */
    private static final int MEASURED = 256;

    /** Where a model's chains come from. */
    public interface ChainSource extends AutoCloseable {
        /** The chains as training left them. */
        ModelChains chains();

        /** Where fresh chains begin. */
        SampleSource starts();

        @Override
        default void close() {}
    }

    /** Makes the beginnings of chains that start at the data, for a model that is loaded without them. */
    @FunctionalInterface
    public interface DataStarts {
        /** Draws of this start. */
        SampleSource of(Start start);
    }

    /** What a model consists of; its card is made when it is first asked for, its parameters may change while it learns. */
    public record Parts(
            Supplier<ModelCard> card,
            EnergyModel energy,
            Supplier<Parameters> parameters,
            long step,
            Device device,
            Optional<LatentDensity> latent,
            Optional<ChainSource> chains) {}

    private final Parts parts;
    private final Optional<String> settings;
    private final Runnable closing;
    private volatile Optional<ModelCard> card = Optional.empty();
    private volatile boolean closed;

    /** A model of parts that somebody else closes, such as that of a run while it is trained. */
    public Model(Parts parts) {
        this(parts, Optional.empty(), () -> {});
    }

    Model(Parts parts, Optional<String> settings, Runnable closing) {
        this.parts = parts;
        this.settings = settings;
        this.closing = closing;
    }

    /** A model that was trained in memory, and owns its parameters; the last argument frees what its learner has saved. */
    public static Model inMemory(
            ModelCard card,
            EnergyModel energy,
            Parameters parameters,
            long step,
            DataStarts starts,
            State saved,
            Runnable closing) {
        List<Long> shape = card.samples().shape();
        SavedChains chains = new SavedChains(card, energy, shape, Device.CPU, Optional.of(starts), names -> saved);
        Parts parts = new Parts(
                () -> card, energy, () -> parameters, step, Device.CPU, Optional.empty(), Optional.of(chains));
        return new Model(parts, Optional.empty(), () -> {
            parameters.close();
            chains.close();
            closing.run();
        });
    }

    /**
     * Loads the model of a run, the average of its parameters where one was kept: from the checkpoint that was judged; from the
     * newest where none was, or where that one is kept no more. The data need not be there; parts of one's own must be on the
     * class path.
     *
     * @throws IOException if there is no run, no whole checkpoint, or one that is not understood here
     */
    public static Model load(Path run) throws IOException {
        return load(run, Device.CPU);
    }

    /** Loads the model of a run, by the same checkpoint, to compute on a device. */
    public static Model load(Path run, Device device) throws IOException {
        return new ModelLoader(run, device, Optional.empty()).load(Optional.empty());
    }

    /** Loads the model of a checkpoint that is chosen. */
    public static Model load(Path run, CheckpointChoice which, Device device) throws IOException {
        return new ModelLoader(run, device, Optional.empty()).load(Optional.of(which));
    }

    /** Loads the model of a checkpoint that is chosen, whose chains may start at the data. */
    public static Model load(Path run, CheckpointChoice which, Device device, DataStarts starts) throws IOException {
        return new ModelLoader(run, device, Optional.of(starts)).load(Optional.of(which));
    }

    // ---- what it is

    /** Everything that is known of the model besides its network and parameters. */
    public ModelCard card() {
        if (card.isEmpty()) {
            card = Optional.of(parts.card.get());
        }
        return card.get();
    }

    /** What the run's recipe is called. */
    public String name() {
        return card().name();
    }

    /** The settings of the run, as the checkpoint that was loaded keeps them: for recipes their text. */
    public Optional<String> settings() {
        return settings;
    }

    /** The number of steps that it was trained for. */
    public long step() {
        return parts.step;
    }

    /** Where it computes. */
    public Device device() {
        return parts.device;
    }

    /** The family of densities that it is one of. */
    public EnergyModel energy() {
        return parts.energy;
    }

    /** The parameters, which belong to this model. */
    public Parameters parameters() {
        requireOpen();
        return parts.parameters.get();
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("the model of " + name() + " was closed");
        }
    }

    /** The body of a latent model. */
    public Optional<LatentDensity> latent() {
        return parts.latent;
    }

    /** The times of a time-joint model. */
    public Optional<Timeline> timeline() {
        return parts.energy.head() instanceof Timeline timeline ? Optional.of(timeline) : Optional.empty();
    }

    /** The shape of one sample: [d] of points, [channels, height, width] of images. */
    public List<Long> shape() {
        return card().samples().shape();
    }

    /** The values of black and white in the model; nothing where its samples are points. */
    public Optional<PixelRange> range() {
        return card().samples().images().map(SampleKind.Images::range);
    }

    /** The way between the units in which samples are stored and what {@link #logDensity} takes. */
    public Units units() {
        return card().samples().units();
    }

    /**
     * The names of a row's values, in their order, where the model is one of a table: a column's, or COLUMN=WORD for each word
     * of a column of text, which is 1 where the row has it and 0 elsewhere. Empty for other models.
     */
    public List<String> columns() {
        return card().samples().rows().map(rows -> rows.schema().inputs()).orElse(List.of());
    }

    /** The classes' names by their numbers; empty for a model without classes. */
    public List<String> classes() {
        return card().components() instanceof ComponentKind.Classes classes ? classes.names() : List.of();
    }

    /** Whether the components are classes. */
    public boolean hasClasses() {
        return card().components() instanceof ComponentKind.Classes;
    }

    /** The number of the class that is so called, in whatever capitals, or has that number. */
    public int classNamed(String word) {
        List<String> names = classes();
        if (names.isEmpty()) {
            throw new InvalidInputException(
                    "the model of " + name() + " knows no classes; train one with 'classes: head'");
        }
        for (int label = 0; label < names.size(); label++) {
            if (names.get(label).equalsIgnoreCase(word)) {
                return label;
            }
        }
        if (!word.matches("[0-9]{1,9}") || Integer.parseInt(word) >= names.size()) {
            throw new InvalidInputException("there is no class '" + word + "'; there are " + String.join(", ", names)
                    + ", numbered from 0 to " + (names.size() - 1));
        }
        return Integer.parseInt(word);
    }

    // ---- its densities

    /**
     * f(x)_k and the densities that it holds, of samples as the network sees them, valid in the current scope until this model is
     * closed; of a latent model, what stands in for log p(x).
     */
    public JointDensity joint() {
        requireOpen();
        return parts.latent.map(LatentDensity::scores).orElseGet(this::chainJoint);
    }

    /** What the model's chains run on: f(x)_k, or f(z) of latent vectors. */
    public JointDensity chainJoint() {
        return parts.energy.bind(parameters());
    }

    /**
     * f, the unnormalised log-density, valid in the current scope until this model is closed. It takes samples as the network
     * sees them: rows of a table scaled, of which {@link #score} is f(z) + T log|dz/dx|. A model at another {@link
     * #temperature} T than 1 was trained as exp(f/T): divide by it.
     */
    public LogDensity logDensity() {
        return joint().data();
    }

    /** The density exp(f/T) that the model has learnt. */
    public LogDensity density() {
        double temperature = temperature();
        return temperature == 1 ? logDensity() : logDensity().tempered(temperature);
    }

    /** What another kernel walks on to sample the model: f/T, or f where it has a temperature of its own, as in training. */
    public LogDensity densityFor(Kernel<?> other) {
        return other.traits().temperature().equals(OptionalDouble.of(1)) ? density() : logDensity();
    }

    /** The density of samples that are asked for by component: f(x)_k of a class each; the data's, of a model without classes. */
    public LogDensity given(long... k) {
        return hasClasses() ? chainJoint().given(k) : chainJoint().data();
    }

    /** T, where exp(f/T) was learnt: what {@link #score} returns is f itself. */
    public double temperature() {
        Optional<HeldOutReference> reference = card().reference();
        if (reference.isPresent()) {
            return reference.get().temperature();
        }
        boolean varies = card().chains().stream()
                .anyMatch(chains -> chains.kernel().traits().temperatureVaries());
        return varies ? measured(chainSettings().kernel()) : card().temperature();
    }

    /** That of the density which the chains sample, at the end of chains like those of training. */
    private <S extends ChainState> double measured(Kernel<S> kernel) {
        Key[] keys = KeyDomain.TEMPERATURE.key(card().seed()).split(2);
        try (Scope scope = Scope.open()) {
            Optional<ReplayBuffer> buffer = buffer();
            long[] k = inTurn(Math.min(MEASURED, buffer.map(ReplayBuffer::size).orElse(MEASURED)));
            LogDensity f = chainSettings().byComponent() ? given(k) : logDensity();
            Tensor start =
                    buffer.map(chains -> chains.chains(keys[0], 0, k)).orElseGet(() -> starts().drawGiven(keys[0], k));
            S state = kernel.start(f, start);
            for (int step = 0; step < chainSettings().steps(); step++) {
                state = kernel.step(keys[1].child(step), f, state).state();
            }
            return kernel.temperatureAt(state).orElse(card().temperature());
        }
    }

    // ---- its chains

    /** The chains that samples come from. */
    public ChainSettings chainSettings() {
        return card().chains()
                .orElseThrow(() -> new InvalidInputException("the chains of " + name()
                        + " were not saved with it, having a start or a kernel that is not registered"));
    }

    private ChainSource chainSource() {
        return parts.chains.orElseThrow(
                () -> new InvalidInputException("the chains of " + name() + " were not saved with it"));
    }

    /** Where fresh chains begin. */
    public SampleSource starts() {
        return chainSource().starts();
    }

    /** The replay buffer, where training has one. */
    public Optional<ReplayBuffer> buffer() {
        return chainSettings().buffer() == 0
                ? Optional.empty()
                : chainSource().chains().buffer();
    }

    /** The step sizes that training has adapted, where it does. */
    public Optional<ComponentSteps> adapted() {
        return chainSettings().adapt().isEmpty()
                ? Optional.empty()
                : chainSource().chains().adapted();
    }

    /** The components of samples for which none is given: classes in turn, and of times the last. */
    public long[] inTurn(int count) {
        if (hasClasses()) {
            return ReplayBuffer.inTurn(count, parts.energy.components());
        }
        return repeated(parts.energy.components() - 1L, count);
    }

    private static long[] repeated(long component, int count) {
        long[] k = new long[Memory.array(Long.BYTES, count)];
        Arrays.fill(k, component);
        return k;
    }

    /** How the model is sampled. */
    public Sampler sampler() {
        if (card().components() instanceof ComponentKind.Times times) {
            return new AnnealedSampler(this, times.annealing(), timeline().orElseThrow());
        }
        ChainSampler chains = new ChainSampler(this);
        return parts.latent
                .<Sampler>map(body -> new LatentSampler(body, chains))
                .orElse(chains);
    }

    /** What chains in a replay buffer are of the data: themselves, or what the generator of a latent model makes of them. */
    public Tensor fromChains(Tensor x) {
        return parts.latent.map(body -> body.generated(x)).orElse(x);
    }

    /** The number of steps that chains usually take whose samples are asked for: of points they walk far from their start. */
    public int usualSteps() {
        ChainSettings chains = chainSettings();
        return card().samples().images().isPresent()
                ? Math.max(1, chains.freshSteps())
                : chains.sampleSteps().orElse(Sampler.LONGER * Math.max(1, chains.steps()));
    }

    // ---- scores

    /**
     * f at each row: higher is likelier, unnormalised. Rows of a table are in its own units; of other runs they are points as
     * the model was trained on them, or images with their pixels one after the other, in the model's {@link #range}.
     */
    public double[] score(double[][] rows) {
        return scores(rows, OodScore.F).f();
    }

    /** f at each image: higher is likelier, unnormalised. */
    public double[] score(ImageSet images) {
        return scores(images, OodScore.F).f();
    }

    /**
     * log p of each row in nats, in its own units: f/T less the estimate of log Z.
     *
     * @throws IllegalStateException if the normaliser is not known: see {@link #isNormalised}
     */
    public double[] logLikelihood(double[][] rows) {
        return logLikelihood(score(rows));
    }

    /** log p of each image in nats: see {@link #logLikelihood(double[][])}. */
    public double[] logLikelihood(ImageSet images) {
        return logLikelihood(score(images));
    }

    private double[] logLikelihood(double... f) {
        HeldOutReference reference = reference();
        logNormaliser();
        return Arrays.stream(f)
                .map(one -> reference.logDensity(one).orElseThrow())
                .toArray();
    }

    /**
     * The bounds between which log Z lies: log p of a sample is f/T less that.
     *
     * @throws IllegalStateException if it is not known: see {@link #isNormalised}
     */
    public HeldOutReference.Bounds logNormaliser() {
        return reference()
                .logNormaliser()
                .orElseThrow(() -> new IllegalStateException(
                        "log p is not known: the bounds of the normaliser lie too far apart, or the model has none that can be"
                                + " computed; f and quantiles rank rows all the same"));
    }

    private HeldOutReference reference() {
        return card().reference().orElseThrow(() -> new IllegalStateException(NOT_JUDGED));
    }

    /** Whether log p is known: {@link #logLikelihood} gives it then. What {@link #score} returns is unnormalised always. */
    public boolean isNormalised() {
        return card().reference().flatMap(HeldOutReference::logNormaliser).isPresent();
    }

    /**
     * For each row the share of held-out rows that are no likelier, itself counted among them: a p-value of “this is a row
     * like those”. An alarm at 0.01 and below is false for one usual row in a hundred.
     *
     * @throws IllegalStateException if the checkpoint was not judged
     */
    public double[] quantile(double[][] rows) {
        return quantile(score(rows));
    }

    /** For each image the share of held-out images that are no likelier: see {@link #quantile(double[][])}. */
    public double[] quantile(ImageSet images) {
        return quantile(score(images));
    }

    private double[] quantile(double... f) {
        HeldOutReference reference = reference();
        return Arrays.stream(f).map(reference::quantile).toArray();
    }

    /** f, p(y|x) and a score that tells the data from others, of each row. */
    public Scores scores(double[][] rows, OodScore by) {
        return scores(input().rows(rows), by);
    }

    /** f, p(y|x) and a score that tells the data from others, of each image. */
    public Scores scores(ImageSet images, OodScore by) {
        return scores(input().images(images), by);
    }

    /**
     * f, p(y|x) and a score that tells the data from others, of samples in the units of {@link #score(double[][])}: rows of a
     * table [n, d] unscaled; other points [n, d]; images [n, channels, height, width] in the model's {@link #range}. What
     * {@link #logDensity} and {@link #joint} take is scaled.
     */
    public Scores scores(Tensor x, OodScore by) {
        return scores(input().tensor(x), by);
    }

    private ModelInput input() {
        return new ModelInput(card().samples());
    }

    private Scores scores(ModelInput.Samples samples, OodScore by) {
        requireScore(by);
        double temperature = temperature();
        List<Scores> blocks = new ArrayList<>();
        input().inBlocks(
                        samples,
                        device(),
                        (z, from, to) -> blocks.add(Scores.of(joint(), z, by)
                                .plus(temperature, samples.logDeterminants().of(from, to))));
        return Scores.join(blocks);
    }

    /** Refuses a score that the model does not have. */
    public void requireScore(OodScore by) {
        if (by == OodScore.MAX_P && !hasClasses()) {
            throw new InvalidInputException("the score " + by.option() + " takes p(y|x), and the model of " + name()
                    + " has no classes; take f or gradient");
        }
        if (by == OodScore.GRADIENT && parts.latent.isPresent()) {
            throw new InvalidInputException("the score " + by.option() + " takes the gradient of f, and that of "
                    + name() + ", a latent model, comes from chains and has none; take f");
        }
    }

    /** The number of the likeliest class of each row, by p(y|x). */
    public int[] classify(double[][] rows) {
        return predicted(scores(rows, OodScore.F));
    }

    /** The number of the likeliest class of each image, by p(y|x). */
    public int[] classify(ImageSet images) {
        return predicted(scores(images, OodScore.F));
    }

    private int[] predicted(Scores scores) {
        if (!hasClasses()) {
            throw new IllegalStateException("this model has no classes; train one with 'classes: head'");
        }
        return IntStream.range(0, scores.f().length).map(scores::predicted).toArray();
    }

    /** What finds the odd column of rows, of a model of a table. */
    public Optional<RowOddness> oddness(double limit) {
        return card().samples()
                .rows()
                .flatMap(rows -> rows.usual().map(usual -> new RowOddness(this, rows, new OddColumns(usual), limit)));
    }

    /**
     * The name of the column that fits the rest of its row worst, of each row of a table: by the model where the row's quantile
     * is {@value #ODD} or less, otherwise by a Gaussian, which is far cheaper.
     */
    public String[] oddColumns(double[][] rows) {
        RowOddness oddness = oddness(ODD)
                .orElseThrow(() -> new IllegalStateException("this model is none of a table, and knows no columns"));
        ModelInput.Samples samples = input().rows(rows);
        double[] quantiles = card().reference().isPresent()
                ? quantile(rows)
                : DoubleStream.generate(() -> Double.NaN).limit(rows.length).toArray();
        List<String> names = new ArrayList<>();
        input().inBlocks(samples, device(), (z, from, to) -> {
            for (int column : oddness.of(z, Arrays.copyOfRange(quantiles, from, to))) {
                names.add(oddness.names().get(column));
            }
        });
        return names.toArray(String[]::new);
    }

    /** The samples of a file as the model sees them, some at a time: rows of a table, points, or images. */
    public Rows open(Path file) throws IOException {
        if (card().samples() instanceof SampleKind.Rows rows) {
            return new ScaledRows(file, rows.schema(), rows.units(), device());
        }
        if (card().samples().images().isPresent()) {
            return seen(String.valueOf(file), ImageFiles.rows(file, ImageFiles.Options.usual()));
        }
        return new SeenRows(PointRows.open(file, card().samples().width()), points -> points.to(device()));
    }

    /** Stored images as the model sees them; refused, by the name of their place, where they are of another size. */
    public Rows seen(String place, ImageRows images) throws IOException {
        requireShape(place, images);
        return SeenRows.of(images, unit -> units().toModel(unit.to(device())));
    }

    /** Stored images in [0, 1]; refused, by the name of their place, where they are of another size than the model's. */
    public Rows unit(String place, ImageRows images) throws IOException {
        requireShape(place, images);
        return SeenRows.of(images, unit -> unit);
    }

    private void requireShape(String place, ImageRows images) throws IOException {
        List<Long> shape = shape();
        if (!shape.equals(List.of((long) images.channels(), (long) images.height(), (long) images.width()))) {
            images.close();
            throw new InvalidInputException(place + " has " + images.width() + " x " + images.height() + " pixels in "
                    + images.channels() + " channels, the model's images " + shape.get(2) + " x " + shape.get(1)
                    + " in "
                    + shape.get(0) + "; convert them to that shape first");
        }
    }

    // ---- samples

    /**
     * Samples of the model, as rows that {@link #score(double[][])} takes: those of {@code kelvin sample} with this seed, of
     * classes in turn. The same seed gives the same samples.
     */
    public double[][] sample(long seed, int count) {
        return samples(seed, inTurn((int) Check.atLeast("count", count, 0)));
    }

    /** Samples of a class, by its name or number. */
    public double[][] sample(long seed, int count, String className) {
        return samples(seed, repeated(classNamed(className), (int) Check.atLeast("count", count, 0)));
    }

    private double[][] samples(long seed, long... k) {
        if (k.length == 0) {
            return new double[0][];
        }
        Sampler sampler = sampler();
        int steps = usualSteps() * sampler.traits().factorOfGiven();
        try (Scope scope = Scope.open()) {
            return input().toRows(sampler.draw(SampleRequest.given(Key.of(seed), steps, k))
                    .x());
        }
    }

    /**
     * Rows of a table whose NaN values are sampled given the others, those of {@code kelvin impute --fill} with this seed: a copy
     * of each row.
     */
    public double[][] impute(long seed, double[][] rows) {
        ConditionedRows chains = new ConditionedRows(this, Optional.empty(), OptionalInt.empty());
        input().requireWidth(rows);
        return chains.complete(Key.of(seed), 1, rows, 1);
    }

    /** Samples of rows of a table given some of their cells, such as {@code "amount=100"}, in the table's own units. */
    public double[][] sampleGiven(long seed, int count, String... cells) {
        return new ConditionedRows(this, Optional.empty(), OptionalInt.empty())
                .given(Key.of(seed), List.of(cells), (int) Check.atLeast("count", count, 0));
    }

    @Override
    public void close() {
        closed = true;
        closing.run();
    }
}

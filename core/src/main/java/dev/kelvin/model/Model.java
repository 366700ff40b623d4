package dev.kelvin.model;

import dev.kelvin.data.image.ImageSet;
import dev.kelvin.data.image.PixelRange;
import dev.kelvin.data.table.scale.TableUnits;
import dev.kelvin.energy.EnergyModel;
import dev.kelvin.energy.JointDensity;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.metric.OodScore;
import dev.kelvin.metric.Scores;
import dev.kelvin.nn.Parameters;
import dev.kelvin.part.Check;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A model that was trained, for those who want its scores and samples: of a run's folder, or of {@link ModelTraining}.
 *
 * <pre>{@code
 * try (Model model = Model.load(Path.of("runs/rings"))) {
 *     double[] f = model.score(new double[][] {{0, 1}, {2, 2}}); // unnormalised: higher is likelier
 *     double[][] samples = model.sample(1, 100);
 * }
 * }</pre>
 *
 * Rows of a table are in the table's own units, their {@link #columns} in their order:
 *
 * <pre>{@code
 * double[][] rows = {{152.6, 13.9, 91.9, 224.7, 2300, 66.1}};
 * double[] odd = model.quantile(rows); // the share of held-out rows that are no likelier
 * double[] logP = model.isNormalised() ? model.logLikelihood(rows) : model.score(rows);
 * }</pre>
 *
 * Images come as they are stored, or as rows of {@link #shape} values in the model's {@link #range}; a model with {@link
 * #classes} tells theirs:
 *
 * <pre>{@code
 * try (ImageSet images = ImageFiles.read(Path.of("new-images"))) {
 *     int[] labels = model.classify(images);
 *     double[][] probabilities = model.scores(images, OodScore.F).p();
 * }
 * }</pre>
 *
 * <p>Numbers are checked: a row that is null or of another width, NaN, numbers that overflow, and pixels in other units are
 * refused with the row's number; no rows give no scores. Several threads may score with one model.
 */
public final class Model implements AutoCloseable {
    private static final String NOT_JUDGED =
            "this checkpoint was not judged, so there is nothing to compare f with: run 'kelvin evaluate' on the run";

    /** What is known of a model besides its parameters. */
    record Known(Optional<ModelCard> card, Optional<HeldOutReference> reference, Optional<TableUnits> table) {}

    /** Makes the sampler when it is first asked for: a replay buffer may be large. */
    @FunctionalInterface
    interface Sampling {
        Tensor draw(Key key, JointDensity table, int count) throws IOException;
    }

    private final EnergyModel model;
    private final Parameters parameters;
    private final long step;
    private final Known known;
    private final ModelInput input;
    private final Sampling sampling;
    private final Held state; // what the sampler holds

    Model(EnergyModel model, Parameters parameters, long step, Known known, Sampling sampling, Held state) {
        this.model = model;
        this.parameters = parameters;
        this.step = step;
        this.known = known;
        this.input = new ModelInput(known.card, known.table, model.network().takesImages());
        this.sampling = sampling;
        this.state = state;
    }

    /** What is freed with the model. */
    @FunctionalInterface
    interface Held extends AutoCloseable {
        @Override
        void close();
    }

    /**
     * Loads the model of a run, the average of its parameters, where one was kept: from the checkpoint that was judged, so
     * that scores are those of {@code kelvin score}; from the newest where none was, or where that one is kept no more. The
     * data need not be there; parts of one's own must be on the class path.
     *
     * @throws IOException if there is no run, no whole checkpoint, or one that is not understood here
     */
    public static Model load(Path run) throws IOException {
        return ModelLoader.load(run);
    }

    /**
     * f, the unnormalised log-density, valid in the current scope until this model is closed. It takes samples as the network
     * sees them: rows of a table scaled, of which {@link #score} is f(z) + T log|dz/dx|. A model at another {@link
     * #temperature} T than 1 was trained as exp(f/T): divide by it.
     */
    public LogDensity logDensity() {
        return model.density(parameters);
    }

    /**
     * f at every column and the densities that it holds, of samples as {@link #logDensity} takes them, valid in the current
     * scope until this model is closed.
     */
    public JointDensity table() {
        return model.bind(parameters);
    }

    /**
     * f at each row: higher is likelier, unnormalised. Rows of a table are in its own units; of other runs they are points as
     * the model was trained on them, or images with their pixels one after the other, in the model's {@link #range}.
     *
     * @throws IllegalArgumentException if a row has another number of values than the model, or one that is no number
     */
    public double[] score(double[][] rows) {
        return score(input.rows(rows));
    }

    /**
     * f at each image: higher is likelier, unnormalised.
     *
     * @throws IllegalArgumentException if the model takes images of another size, or none
     */
    public double[] score(ImageSet images) {
        return score(input.images(images));
    }

    private double[] score(ModelInput.Samples samples) {
        return scores(samples, OodScore.F).f();
    }

    /**
     * log p of each row in nats, in its own units: f/T less the middle of the bounds of log Z.
     *
     * @throws IllegalStateException if the normaliser is not known: see {@link #isNormalised}
     */
    public double[] logLikelihood(double[][] rows) {
        return logLikelihood(input.rows(rows));
    }

    /** The same of images. */
    public double[] logLikelihood(ImageSet images) {
        return logLikelihood(input.images(images));
    }

    private double[] logLikelihood(ModelInput.Samples samples) {
        if (!isNormalised()) {
            throw new IllegalStateException(
                    known.reference.isPresent()
                            ? "log p is not known: the bounds of the normaliser lie too far apart, or the model has none that can be"
                                    + " computed; f and quantiles rank rows all the same"
                            : NOT_JUDGED);
        }
        HeldOutReference reference = known.reference.orElseThrow();
        return Arrays.stream(score(samples))
                .map(f -> reference.logDensity(f).orElseThrow())
                .toArray();
    }

    /** Whether log p is known: {@link #logLikelihood} tells it then. What {@link #score} returns is unnormalised always. */
    public boolean isNormalised() {
        return known.reference.isPresent()
                && known.reference.get().logNormaliser().isPresent();
    }

    /**
     * For each row the share of held-out rows that are no likelier, itself counted among them: a p-value of “this is a row
     * like those”. An alarm at 0.01 and below is false for one usual row in a hundred.
     *
     * @throws IllegalStateException if the checkpoint was not judged
     */
    public double[] quantile(double[][] rows) {
        return quantile(input.rows(rows));
    }

    /** The same of images. */
    public double[] quantile(ImageSet images) {
        return quantile(input.images(images));
    }

    private double[] quantile(ModelInput.Samples samples) {
        HeldOutReference reference = known.reference.orElseThrow(() -> new IllegalStateException(NOT_JUDGED));
        return Arrays.stream(score(samples)).map(reference::quantile).toArray();
    }

    /**
     * f, p(y|x) and a score that tells the data from others, of each row.
     *
     * @throws IllegalArgumentException if a row is refused, or the score takes classes and the model has none
     */
    public Scores scores(double[][] rows, OodScore by) {
        return scores(input.rows(rows), by);
    }

    /** The same of images. */
    public Scores scores(ImageSet images, OodScore by) {
        return scores(input.images(images), by);
    }

    /**
     * The same of a tensor, in the units of {@link #score(double[][])}: rows of a table, and those that {@link ModelTraining}
     * was given, [n, d] in their own units, unscaled; other points [n, d]; images [n, channels, height, width] in the model's
     * {@link #range}. Of many it is asked for some at a time. What {@link #logDensity} and {@link #table} take is scaled.
     */
    public Scores scores(Tensor x, OodScore by) {
        input.check(x);
        if (input.scales()) {
            return scores(input.rows(x), by);
        }
        try (Scope scope = Scope.open()) {
            return Scores.of(table(), x, by);
        }
    }

    private Scores scores(ModelInput.Samples samples, OodScore by) {
        List<Scores> blocks = new ArrayList<>();
        for (int from = 0; from < samples.count(); from += samples.block()) {
            try (Scope scope = Scope.open()) {
                int to = Math.min(samples.count(), from + samples.block());
                Scores some = Scores.of(table(), samples.tensor(from, to), by);
                blocks.add(some.plus(temperature(), samples.logDeterminant(from, to)));
            }
        }
        return Scores.join(blocks);
    }

    /**
     * The number of the likeliest class of each row, by p(y|x).
     *
     * @throws IllegalStateException if the model has no classes
     */
    public int[] classify(double[][] rows) {
        return classify(input.rows(rows));
    }

    /** The same of images. */
    public int[] classify(ImageSet images) {
        return classify(input.images(images));
    }

    private int[] classify(ModelInput.Samples samples) {
        if (classes().isEmpty()) {
            throw new IllegalStateException("this model has no classes; train one with 'classes: head'");
        }
        Scores scores = scores(samples, OodScore.F);
        return IntStream.range(0, samples.count()).map(scores::predicted).toArray();
    }

    /**
     * Samples of the model, as rows that {@link #score(double[][])} takes, by the chains of its training: those of the replay
     * buffer moved on, or, where there is none, fresh ones of as many steps. The same seed gives the same samples.
     *
     * @throws UnsupportedOperationException if its samples are drawn in another way, or the run does not say how
     * @throws IOException if the run's files can't be read
     */
    public double[][] sample(long seed, int count) throws IOException {
        Check.atLeast("count", count, 0);
        try (Scope scope = Scope.open()) {
            return count == 0 ? new double[0][] : input.toRows(sampling.draw(Key.of(seed), table(), count));
        }
    }

    /**
     * The names of a row's values, in their order, where the model is one of a table: a column's, or COLUMN=WORD for each word
     * of a column of text, which is 1 where the row has it and 0 elsewhere. Empty for other models.
     */
    public List<String> columns() {
        return known.table.map(units -> units.schema().inputs()).orElse(List.of());
    }

    /** Of one sample: [d] of points, [channels, height, width] of images; nothing where an older run does not say. */
    public Optional<List<Long>> shape() {
        return known.card.map(ModelCard::shape);
    }

    /** The values of black and white that the model was trained on; nothing where its samples are points. */
    public Optional<PixelRange> range() {
        return known.card.flatMap(ModelCard::range);
    }

    /** The classes' names by their numbers, which are their names in runs that keep none; empty for a model without classes. */
    public List<String> classes() {
        int count = model.classes();
        return known.card
                .map(ModelCard::classes)
                .filter(names -> names.size() == count)
                .orElseGet(() ->
                        IntStream.range(0, count).mapToObj(Integer::toString).toList());
    }

    /** T, where exp(f/T) was learnt: what {@link #score} returns is f itself. */
    public double temperature() {
        return known.reference
                .map(HeldOutReference::temperature)
                .or(() -> known.card.map(ModelCard::temperature))
                .orElse(1.0);
    }

    /** How many steps it was trained for. */
    public long step() {
        return step;
    }

    /** The parameters, which this model owns. */
    public Parameters parameters() {
        return parameters;
    }

    @Override
    public void close() {
        parameters.close();
        state.close();
    }
}

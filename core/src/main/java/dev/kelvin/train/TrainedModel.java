package dev.kelvin.train;

import dev.kelvin.data.table.TableUnits;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.energy.Table;
import dev.kelvin.energy.Tilted;
import dev.kelvin.metric.Score;
import dev.kelvin.metric.Scores;
import dev.kelvin.nn.Parameters;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A model from the checkpoint of a run that was judged, or from the newest where it was not, for those who want its scores:
 *
 * <pre>{@code
 * try (TrainedModel model = TrainedModel.load(Path.of("runs/rings"))) {
 *     double[] f = model.score(new float[][] {{0, 1}, {2, 2}});
 * }
 * }</pre>
 *
 * of a model of a table, of rows in the table's own units, their {@link #columns} in their order:
 *
 * <pre>{@code
 * double[][] rows = {{152.6, 13.9, 91.9, 224.7, 2300, 66.1}};
 * double[] odd = model.quantile(rows); // the share of held-out rows that are no likelier
 * double[] logP = model.isNormalised() ? model.logDensity(rows) : model.score(rows);
 * }</pre>
 *
 * and, of a model with classes, for p(y|x), the predicted class and what tells the data from others too:
 *
 * <pre>{@code
 * Scores scores = model.scores(images, Score.F);
 * int likeliest = scores.predicted(0);
 * double[] probabilities = scores.p()[0];
 * }</pre>
 */
public final class TrainedModel implements AutoCloseable {
    private static final int BLOCK = 1 << 13; // rows at a time

    private static final String NOT_JUDGED =
            "this checkpoint was not judged, so there is nothing to compare f with: run 'kelvin evaluate' on the run";

    private final Checkpoints.Header header;
    private final Parameters parameters;
    private final Optional<ScoreReference> reference;
    private final Optional<TableUnits> table;
    private final RowsOfNumbers input;

    private TrainedModel(
            Checkpoints.Header header,
            Parameters parameters,
            Optional<ScoreReference> reference,
            Optional<TableUnits> table) {
        this.header = header;
        this.parameters = parameters;
        this.reference = reference;
        this.table = table;
        this.input = new RowsOfNumbers(table);
    }

    /**
     * Loads the model of a run, the average of its parameters, where one was kept: from the checkpoint that was judged, so
     * that scores are those of {@code kelvin score}; from the newest where none was, or where that one is kept no more.
     */
    public static TrainedModel load(Path run) throws IOException {
        Checkpoints checkpoints = new Checkpoints(run.resolve("checkpoints"));
        if (!Files.isDirectory(run)) {
            throw new IOException("there is no run at " + run);
        }
        try (Scope scope = Scope.open()) {
            Optional<ScoreReference> judged = ScoreReference.read(run);
            Optional<Checkpoints.Saved> same =
                    judged.isPresent() ? checkpoints.readAt(judged.get().step()) : Optional.empty();
            Checkpoints.Saved saved = same.isPresent()
                    ? same.get()
                    : checkpoints.read().orElseThrow(() -> new IOException(run + " has no whole checkpoint"));
            Tensor flat =
                    saved.tensors().getOrDefault("average", saved.tensors().get("parameters"));
            if (flat == null) {
                throw new IOException(
                        run + "'s checkpoint of step " + saved.header().step() + " has no parameters");
            }
            if (saved.header().model().head() instanceof Tilted) {
                throw new IOException(
                        run + " holds a latent model, whose scores come from chains that its recipe describes:"
                                + " ask kelvin score");
            }
            return new TrainedModel(
                    saved.header(),
                    new Parameters(saved.header().model().layout(), flat),
                    judged.filter(
                            reference -> reference.step() == saved.header().step()),
                    TableUnits.read(run));
        }
    }

    /**
     * f, the unnormalised log-density, valid in the current scope until this model is closed. A model whose recipe has chains
     * at another temperature T than 1 was trained as exp(f/T): divide by it.
     */
    public LogDensity logDensity() {
        return header.model().density(parameters);
    }

    /**
     * f at each row: higher is likelier, unnormalised. Rows of a table are in its own units; of other runs they are points as
     * the model was trained on them.
     *
     * @throws IllegalArgumentException if a row has another number of values than the model, or one that is no number
     */
    public double[] score(double[][] rows) {
        double[] f = new double[rows.length];
        double temperature = reference.map(ScoreReference::temperature).orElse(1.0);
        for (int from = 0; from < rows.length; from += BLOCK) {
            try (Scope scope = Scope.open()) {
                int to = Math.min(rows.length, from + BLOCK);
                double[] some = logDensity().at(input.tensor(rows, from, to)).toDoubles();
                double[] units = input.logDeterminant(rows, from, to);
                for (int i = 0; i < some.length; i++) {
                    f[from + i] = some[i] + temperature * units[i];
                }
            }
        }
        return f;
    }

    /**
     * log p of each row in nats, in the table's own units: f/T less the middle of the bounds of log Z.
     *
     * @throws IllegalStateException if the normaliser is not known: see {@link #isNormalised}
     */
    public double[] logDensity(double[][] rows) {
        if (!isNormalised()) {
            throw new IllegalStateException(
                    reference.isPresent()
                            ? "log p is not known: the bounds of the normaliser lie too far apart, or the model has none that can be"
                                    + " computed; f and quantiles rank rows all the same"
                            : NOT_JUDGED);
        }
        ScoreReference known = reference.orElseThrow();
        return Arrays.stream(score(rows))
                .map(f -> known.logDensity(f).orElseThrow())
                .toArray();
    }

    /** Whether log p is known: {@link #logDensity(double[][])} tells it then. */
    public boolean isNormalised() {
        return reference.isPresent() && reference.get().logNormaliser().isPresent();
    }

    /**
     * For each row the share of held-out rows that are no likelier, itself counted among them: a p-value of “this is a row
     * like those”. An alarm at 0.01 and below is false for one usual row in a hundred.
     *
     * @throws IllegalStateException if the checkpoint was not judged
     */
    public double[] quantile(double[][] rows) {
        ScoreReference known = reference.orElseThrow(() -> new IllegalStateException(NOT_JUDGED));
        return Arrays.stream(score(rows)).map(known::quantile).toArray();
    }

    /**
     * The names of a row's values, in their order, where the model is one of a table: a column's, or COLUMN=WORD for each word
     * of a column of text, which is 1 where the row has it and 0 elsewhere. Empty for other models.
     */
    public List<String> columns() {
        return table.map(units -> units.schema().inputs()).orElse(List.of());
    }

    /** f at each point as the model was trained on it: higher is likelier, unnormalised. */
    public double[] score(float[][] points) {
        try (Scope scope = Scope.open()) {
            return logDensity().at(tensor(points)).toDoubles();
        }
    }

    /**
     * f, p(y|x) and a score that tells the data from others, of samples as the model was trained on them: points [n, d], or
     * images [n, channels, height, width] in the recipe's range from low to high. Of many it is asked for some at a time.
     */
    public Scores scores(Tensor x, Score by) {
        try (Scope scope = Scope.open()) {
            return Scores.of(table(), x, by);
        }
    }

    /** The same of points. */
    public Scores scores(float[][] points, Score by) {
        try (Scope scope = Scope.open()) {
            return scores(tensor(points), by);
        }
    }

    /** f at every column and the densities that it holds, valid in the current scope until this model is closed. */
    public Table table() {
        return header.model().bind(parameters);
    }

    private static Tensor tensor(float[][] points) {
        int width = points.length == 0 ? 0 : points[0].length;
        float[] flat = new float[points.length * width];
        for (int i = 0; i < points.length; i++) {
            System.arraycopy(points[i], 0, flat, i * width, width);
        }
        return Tensors.of(flat, points.length, width);
    }

    /** How many steps it was trained for. */
    public long step() {
        return header.step();
    }

    public Parameters parameters() {
        return parameters;
    }

    @Override
    public void close() {
        parameters.close();
    }
}

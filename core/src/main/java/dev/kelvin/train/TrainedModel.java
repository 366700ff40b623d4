package dev.kelvin.train;

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

/**
 * A model from a run's newest checkpoint, for those who want its scores:
 *
 * <pre>{@code
 * try (TrainedModel model = TrainedModel.load(Path.of("runs/rings"))) {
 *     double[] logDensity = model.score(new float[][] {{0, 1}, {2, 2}});
 * }
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
    private final Checkpoints.Header header;
    private final Parameters parameters;

    private TrainedModel(Checkpoints.Header header, Parameters parameters) {
        this.header = header;
        this.parameters = parameters;
    }

    /** Loads the model of a run; the average of its parameters, where one was kept. */
    public static TrainedModel load(Path run) throws IOException {
        Checkpoints checkpoints = new Checkpoints(run.resolve("checkpoints"));
        if (!Files.isDirectory(run)) {
            throw new IOException("there is no run at " + run);
        }
        try (Scope scope = Scope.open()) {
            Checkpoints.Saved saved =
                    checkpoints.read().orElseThrow(() -> new IOException(run + " has no whole checkpoint"));
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
                    saved.header(), new Parameters(saved.header().model().layout(), flat));
        }
    }

    /**
     * f, the unnormalised log-density, valid in the current scope until this model is closed. A model whose recipe has chains
     * at another temperature T than 1 was trained as exp(f/T): divide by it.
     */
    public LogDensity logDensity() {
        return header.model().density(parameters);
    }

    /** f at each point: higher is likelier, unnormalised. */
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

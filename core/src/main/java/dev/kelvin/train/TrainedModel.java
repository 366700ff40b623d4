package dev.kelvin.train;

import dev.kelvin.energy.LogDensity;
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
        int width = points.length == 0 ? 0 : points[0].length;
        float[] flat = new float[points.length * width];
        for (int i = 0; i < points.length; i++) {
            System.arraycopy(points[i], 0, flat, i * width, width);
        }
        try (Scope scope = Scope.open()) {
            return logDensity().at(Tensors.of(flat, points.length, width)).toDoubles();
        }
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

package dev.kelvin.model;

import dev.kelvin.data.table.scale.TableUnits;
import dev.kelvin.energy.JointDensity;
import dev.kelvin.energy.TiltedGaussianHead;
import dev.kelvin.nn.Parameters;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.train.checkpoint.Checkpoints;
import dev.kelvin.train.checkpoint.ModelState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Reads a {@link Model} from a run's folder. */
final class ModelLoader {
    private ModelLoader() {}

    static Model load(Path run) throws IOException {
        Checkpoints checkpoints = new Checkpoints(run.resolve("checkpoints"));
        if (!Files.isDirectory(run)) {
            throw new IOException("there is no run at " + run);
        }
        try (Scope scope = Scope.open()) {
            Optional<HeldOutReference> judged = HeldOutReference.read(run);
            Optional<Checkpoints.Saved> same =
                    judged.isPresent() ? checkpoints.readAt(judged.get().step()) : Optional.empty();
            Checkpoints.Saved saved = same.isPresent()
                    ? same.get()
                    : checkpoints.read().orElseThrow(() -> new IOException(run + " has no whole checkpoint"));
            Checkpoints.Header header = saved.header();
            Tensor flat =
                    saved.tensors().getOrDefault("average", saved.tensors().get("parameters"));
            if (flat == null) {
                throw new IOException(run + "'s checkpoint of step " + header.step() + " has no parameters");
            }
            if (header.model().head() instanceof TiltedGaussianHead) {
                throw new IOException(
                        run + " holds a latent model, whose scores come from chains that its recipe describes:"
                                + " ask kelvin score");
            }
            Model.Known known = new Model.Known(
                    ModelCard.read(run),
                    judged.filter(reference -> reference.step() == header.step()),
                    TableUnits.read(run));
            return new Model(
                    header.model(),
                    new Parameters(header.model().layout(), flat),
                    header.step(),
                    known,
                    (key, table, count) -> draw(run, header, known, key, table, count),
                    () -> {});
        }
    }

    /** Samples by the chains of the checkpoint, read again: it may have a replay buffer of some gigabytes. */
    private static Tensor draw(
            Path run, Checkpoints.Header header, Model.Known known, Key key, JointDensity table, int count)
            throws IOException {
        Optional<ChainSettings> chains = ChainSettings.read(run);
        if (known.card().isEmpty() || chains.isEmpty()) {
            throw new UnsupportedOperationException(run + " does not say how its samples are drawn, having no "
                    + (known.card().isEmpty() ? ModelCard.FILE : ChainSettings.FILE)
                    + ": run 'kelvin evaluate' on it, or ask 'kelvin sample'");
        }
        try (Scope scope = Scope.open()) {
            Checkpoints.Saved saved = new Checkpoints(run.resolve("checkpoints"))
                    .readAt(header.step())
                    .orElseThrow(() -> new IOException(
                            run + " keeps the checkpoint of step " + header.step() + " no more; load the model again"));
            ModelState state = new ModelState(saved.tensors(), saved.header().numbers());
            return scope.keep(
                    new ModelSampler(chains.get(), known.card().get(), header.model(), state).draw(key, table, count));
        }
    }
}

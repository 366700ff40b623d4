package dev.kelvin.model;

import dev.kelvin.energy.EnergyModel;
import dev.kelvin.energy.LatentModel;
import dev.kelvin.nn.Layout;
import dev.kelvin.nn.Parameters;
import dev.kelvin.part.Words;
import dev.kelvin.tensor.Backend;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.State;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.train.checkpoint.CheckpointChoice;
import dev.kelvin.train.checkpoint.Checkpoints;
import dev.kelvin.train.latent.LatentDensity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Reads a {@link Model} from a run's folder: its card, and of a checkpoint the parameters alone. */
final class ModelLoader {
    private static final String PARAMETERS = "parameters";
    private static final String AVERAGE = "average";
    private static final String GENERATOR = "generator.";
    private static final Set<String> READ = Set.of(PARAMETERS, AVERAGE, GENERATOR + PARAMETERS, GENERATOR + AVERAGE);

    private final Path run;
    private final Device device;
    private final Optional<Model.DataStarts> dataStarts;
    private final Checkpoints checkpoints;

    ModelLoader(Path run, Device device, Optional<Model.DataStarts> dataStarts) {
        this.run = run;
        this.device = device;
        this.dataStarts = dataStarts;
        this.checkpoints = new Checkpoints(run.resolve("checkpoints"));
    }

    /** The model of a checkpoint; of the one that was judged, or, where that is kept no more, the newest. */
    Model load(Optional<CheckpointChoice> which) throws IOException {
        if (!Files.isDirectory(run)) {
            throw new IOException("there is no run at " + run);
        }
        ModelCard card = ModelCard.read(run);
        Backend.roundConvolutions(card.precision() == Precision.TF32);
        try (Scope scope = Scope.open()) {
            Checkpoints.Saved saved = which.isPresent() ? chosen(which.get()) : judged(card);
            Checkpoints.Header header = saved.header();
            ModelCard known =
                    card.withReference(card.reference().filter(reference -> reference.step() == header.step()));
            EnergyModel energy = header.model();
            Parameters parameters = parameters(energy.layout(), saved.tensors(), "", header.step());
            Optional<Latent> latent = latent(known, energy, parameters, saved.tensors(), header.step());
            List<Long> shape = latent.map(Latent::shape).orElse(known.samples().shape());
            Optional<SavedChains> chains = known.chains()
                    .map(settings -> new SavedChains(
                            known, energy, shape, device, dataStarts, names -> chains(header.step(), names)));
            Optional<LatentDensity> density = latent.map(Latent::density);
            Optional<Model.ChainSource> source = chains.map(read -> read);
            Model.Parts parts =
                    new Model.Parts(() -> known, energy, () -> parameters, header.step(), device, density, source);
            return new Model(parts, header.settings(), () -> {
                parameters.close();
                latent.ifPresent(body -> body.generator.close());
                chains.ifPresent(SavedChains::close);
            });
        }
    }

    /** A latent model's body. */
    private record Latent(LatentDensity density, Parameters generator, List<Long> shape) {}

    private Optional<Latent> latent(
            ModelCard card, EnergyModel prior, Parameters parameters, Map<String, Tensor> tensors, long step)
            throws IOException {
        if (!(card.components() instanceof ComponentKind.Latent settings)) {
            return Optional.empty();
        }
        Parameters generator = parameters(settings.generator().layout(), tensors, GENERATOR, step);
        LatentDensity density = new LatentDensity(
                new LatentModel(prior, settings.generator(), settings.size(), settings.noise()),
                () -> parameters,
                () -> generator,
                settings.posterior());
        return Optional.of(new Latent(density, generator, List.of(settings.size())));
    }

    private Checkpoints.Saved judged(ModelCard card) throws IOException {
        Optional<Checkpoints.Saved> same = card.reference().isPresent()
                ? checkpoints.read(CheckpointChoice.at(card.reference().get().step()), READ::contains)
                : Optional.empty();
        return same.isPresent() ? same.get() : chosen(CheckpointChoice.NEWEST);
    }

    private Checkpoints.Saved chosen(CheckpointChoice which) throws IOException {
        Optional<Checkpoints.Saved> found = checkpoints.read(which, READ::contains);
        if (found.isPresent()) {
            return found.get();
        }
        if (which.step().isEmpty()) {
            throw new IOException(
                    run + " has no checkpoint yet; resume it by: " + Words.command("train", "--resume", run));
        }
        String kept = checkpoints.steps().stream().map(String::valueOf).collect(Collectors.joining(", "));
        throw new IOException(run + " has no checkpoint of step " + which.step().getAsLong()
                + "; it keeps the last two and the best by its score: " + (kept.isEmpty() ? "none yet" : kept));
    }

    /** The average, where one was kept. */
    private Parameters parameters(Layout layout, Map<String, Tensor> tensors, String prefix, long step)
            throws IOException {
        Tensor flat = tensors.getOrDefault(prefix + AVERAGE, tensors.get(prefix + PARAMETERS));
        if (flat == null) {
            throw new IOException(run + "'s checkpoint of step " + step + " has no parameters");
        }
        return new Parameters(layout, flat.to(device));
    }

    private State chains(long step, Predicate<String> names) throws IOException {
        Checkpoints.Saved saved = checkpoints
                .read(CheckpointChoice.at(step), names)
                .orElseThrow(() -> new IOException(
                        run + " keeps the checkpoint of step " + step + " no more; load the model again"));
        return State.of(saved.tensors(), saved.header().numbers());
    }
}

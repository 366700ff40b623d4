package dev.kelvin.model;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.kelvin.data.augment.Augmentation;
import dev.kelvin.io.AtomicFile;
import dev.kelvin.io.JsonFile;
import dev.kelvin.io.UnreadableFileException;
import dev.kelvin.negative.Start;
import dev.kelvin.optim.Optimiser;
import dev.kelvin.optim.Schedule;
import dev.kelvin.part.Check;
import dev.kelvin.part.MissingSettings;
import dev.kelvin.part.PartIdResolver;
import dev.kelvin.part.Words;
import dev.kelvin.sample.Decay;
import dev.kelvin.sample.Kernel;
import dev.kelvin.tensor.Key;
import dev.kelvin.train.checkpoint.CheckpointChoice;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.annotation.JsonTypeIdResolver;
import tools.jackson.databind.json.JsonMapper;

/**
 * Everything that a trained model is besides its network and parameters, kept as {@value #FILE} in a run's folder, so that
 * whoever loads the model needs neither its recipe nor its data.
 *
 * @param chains where samples come from; none where a start or a kernel of one's own cannot be saved
 * @param temperature T, where exp(f/T) was learnt
 * @param best whether the checkpoint with the best score is judged, rather than the newest
 * @param reference what f is compared with, once a checkpoint was judged
 */
public record ModelCard(
        int format,
        String name,
        long seed,
        SampleKind samples,
        ComponentKind components,
        Optional<ChainSettings> chains,
        double temperature,
        Precision precision,
        boolean best,
        Optional<HeldOutReference> reference) {
    /** Its name in a run's folder. */
    public static final String FILE = "model.json";

    /** The beginning of the file before it had a format. */
    private static final String BEFORE = "{\"shape\":";

    /** The format that this version reads and writes. */
    public static final int FORMAT = 1;

    @JsonTypeInfo(use = JsonTypeInfo.Id.CUSTOM, property = "type")
    @JsonTypeIdResolver(PartIdResolver.class)
    private interface ByName {}

    private static final JsonMapper JSON = MissingSettings.in(JsonMapper.builder())
            .addMixIn(Start.class, ByName.class)
            .addMixIn(Kernel.class, ByName.class)
            .addMixIn(Decay.class, ByName.class)
            .addMixIn(Optimiser.class, ByName.class)
            .addMixIn(Schedule.class, ByName.class)
            .addMixIn(Augmentation.class, ByName.class)
            .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
            .build();

    public ModelCard {
        Check.positive("temperature", temperature);
    }

    /** Of a plain model in float, whose newest checkpoint counts. */
    public static ModelCard plain(String name, long seed, SampleKind samples, ChainSettings chains) {
        return new ModelCard(
                FORMAT,
                name,
                seed,
                samples,
                new ComponentKind.None(),
                Optional.of(chains),
                chains.kernel().traits().temperature().orElse(1),
                Precision.FLOAT,
                false,
                Optional.empty());
    }

    /** With what f is compared with. */
    public ModelCard withReference(Optional<HeldOutReference> found) {
        return new ModelCard(format, name, seed, samples, components, chains, temperature, precision, best, found);
    }

    private ModelCard withoutChains() {
        return new ModelCard(
                format, name, seed, samples, components, Optional.empty(), temperature, precision, best, reference);
    }

    /** Which of the run's checkpoints is judged. */
    public CheckpointChoice judged() {
        return best ? CheckpointChoice.BEST : CheckpointChoice.NEWEST;
    }

    /** The key of the draws that the model is judged by. */
    public Key evaluationKey() {
        return KeyDomain.EVALUATION.key(seed);
    }

    /** Whether a run's folder has one. */
    public static boolean isIn(Path run) {
        return Files.exists(run.resolve(FILE));
    }

    /** Whether a run's folder has one that was not written by an earlier version of Kelvin. */
    public static boolean isCurrent(Path run) throws IOException {
        Path file = run.resolve(FILE);
        return Files.exists(file)
                && !Files.readString(file, StandardCharsets.ISO_8859_1).startsWith(BEFORE);
    }

    /**
     * What a run's folder says.
     *
     * @throws UnreadableFileException if there is none, it is damaged, or of another version of Kelvin
     */
    public static ModelCard read(Path run) throws IOException {
        Path file = run.resolve(FILE);
        if (!Files.exists(file)) {
            throw new UnreadableFileException(file, "is not there; write it by: " + Words.command("convert", run));
        }
        String remedy = "write it again by: " + Words.command("evaluate", run)
                + ", with the parts of your own that the run was trained with on the class path";
        int format = JsonFile.read(
                file, remedy, text -> JSON.readTree(text).path("format").asInt(0));
        if (format == 0) {
            throw new UnreadableFileException(
                    file,
                    "was written by an earlier version of Kelvin; convert it by: " + Words.command("convert", run));
        }
        if (format != FORMAT) {
            throw new UnreadableFileException(
                    file,
                    "has format " + format + ", and this version of Kelvin reads format " + FORMAT
                            + "; use the version that wrote it, or a newer one");
        }
        return JsonFile.read(file, remedy, ModelCard::parse);
    }

    /** What a text says, as it is in the file. */
    public static ModelCard parse(String text) {
        return JSON.readValue(text, ModelCard.class);
    }

    /**
     * Writes it to a run's folder for {@link #read}; without the chains where their start or kernel is no record of settings, or
     * not registered.
     */
    public void write(Path run) throws IOException {
        String text;
        try {
            text = JSON.writeValueAsString(this);
        } catch (JacksonException e) {
            text = JSON.writeValueAsString(withoutChains());
        }
        AtomicFile.write(run.resolve(FILE), text);
    }
}

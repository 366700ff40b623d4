package dev.kelvin.model;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.kelvin.io.AtomicFile;
import dev.kelvin.io.JsonFile;
import dev.kelvin.negative.ComponentSteps;
import dev.kelvin.negative.Start;
import dev.kelvin.part.Check;
import dev.kelvin.part.PartIdResolver;
import dev.kelvin.part.Words;
import dev.kelvin.sample.Decay;
import dev.kelvin.sample.Kernel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.annotation.JsonTypeIdResolver;
import tools.jackson.databind.json.JsonMapper;

/**
 * The chains that a model's samples come from, in training and after it, kept as {@value #FILE} in a run's folder.
 *
 * @param start where fresh chains begin
 * @param kernel the Markov kernel
 * @param steps how often
 * @param buffer how many chains of a replay buffer there are to go on from; 0 where chains begin afresh
 * @param adapt the acceptance that step sizes are adapted to in training; the kernel's own step size where it is left out
 * @param byColumn whether each chain belongs to a class, and samples f of that class alone
 */
public record ChainSettings(
        Start start, Kernel<?> kernel, int steps, int buffer, Optional<ComponentSteps.Adapt> adapt, boolean byColumn) {
    /** Its name in a run's folder. */
    public static final String FILE = "chains.json";

    /** Parts by their names in recipes. */
    @JsonTypeInfo(use = JsonTypeInfo.Id.CUSTOM, property = "type")
    @JsonTypeIdResolver(PartIdResolver.class)
    private interface ByName {}

    private static final JsonMapper JSON = JsonMapper.builder()
            .addMixIn(Start.class, ByName.class)
            .addMixIn(Kernel.class, ByName.class)
            .addMixIn(Decay.class, ByName.class)
            .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
            .build();

    public ChainSettings {
        Check.all(
                () -> Check.atLeast("steps", steps, 0),
                () -> Check.atLeast("buffer", buffer, 0),
                () -> Check.require(
                        adapt.isEmpty() || kernel.traits().bestAcceptance().isPresent(),
                        "adapt",
                        "takes a kernel with a step size and an accept/reject step; this is " + kernel.words()));
    }

    /** What a run's folder says; nothing where it has no such file. */
    public static Optional<ChainSettings> read(Path run) throws IOException {
        Path file = run.resolve(FILE);
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        return Optional.of(JsonFile.read(
                file,
                "write it again by: " + Words.command("evaluate", run)
                        + ", with the parts of your own that the run was trained with on the class path",
                text -> JSON.readValue(text, ChainSettings.class)));
    }

    /**
     * Writes it to a run's folder for {@link #read}, unless a start or a kernel of one's own is no record of settings, or not
     * registered: samples can then be drawn by the command line alone.
     */
    public void write(Path run) throws IOException {
        String text;
        try {
            text = JSON.writeValueAsString(this);
        } catch (JacksonException e) {
            Files.deleteIfExists(run.resolve(FILE)); // of another kernel, then
            return;
        }
        AtomicFile.write(run.resolve(FILE), text);
    }
}

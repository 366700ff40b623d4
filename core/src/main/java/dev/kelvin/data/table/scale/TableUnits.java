package dev.kelvin.data.table.scale;

import dev.kelvin.data.table.Schema;
import dev.kelvin.io.AtomicFile;
import dev.kelvin.io.JsonFile;
import dev.kelvin.part.Words;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * What lies between a table's rows and a model's inputs, kept as {@value #FILE} in a run's folder, so that code that loads the
 * model speaks to it in the table's own units.
 *
 * @param schema what the columns are
 * @param scaling how their values are scaled
 */
public record TableUnits(Schema schema, Scaling scaling) {
    /** Its name in a run's folder. */
    public static final String FILE = "table.json";

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
            .build();

    /** What a run's folder says; nothing where the run is none of a table. */
    public static Optional<TableUnits> read(Path run) throws IOException {
        Path file = run.resolve(FILE);
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        return Optional.of(JsonFile.read(
                file,
                "write it again by: " + Words.command("train", "--resume", run),
                text -> JSON.readValue(text, TableUnits.class)));
    }

    /** Writes it to a run's folder for {@link #read}. */
    public void write(Path run) throws IOException {
        AtomicFile.write(run.resolve(FILE), JSON.writeValueAsString(this));
    }
}

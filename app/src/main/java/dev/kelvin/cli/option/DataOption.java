package dev.kelvin.cli.option;

import dev.kelvin.data.format.InputFile;
import dev.kelvin.io.UnreadableFileException;
import dev.kelvin.recipe.Recipe;
import dev.kelvin.yaml.UserException;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** {@code --data PATH}: where a run's data lie now. */
public final class DataOption {
    @Option(
            names = "--data",
            paramLabel = "PATH",
            description = "a new run's images or table; or where the same data of a run that is there lie now")
    private Optional<Path> data = Optional.empty();

    /** Whether the option is given. */
    public boolean given() {
        return data.isPresent();
    }

    /** The recipe with its data where they are said to be. */
    public Recipe applied(Recipe recipe) {
        requireFile();
        return data.map(recipe::withDataAt).orElse(recipe);
    }

    /** Refuses a stream, which cannot be read again. */
    public void requireFile() {
        try {
            if (data.isPresent()) {
                InputFile.refuseStream(data.get(), "a run reads its data again when it is resumed or evaluated");
            }
        } catch (UnreadableFileException e) {
            throw new UserException(String.valueOf(e.getMessage()));
        }
    }
}

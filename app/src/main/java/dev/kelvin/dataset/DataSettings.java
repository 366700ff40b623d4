package dev.kelvin.dataset;

import dev.kelvin.part.Kind;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.yaml.UserException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** What is learnt: a setting, which opens the data. */
@Kind("data")
public interface DataSettings {
    /** What people call it. */
    String title();

    /** What a run's provenance calls the data. */
    String origin();

    /** A sentence on the data for somebody who has not read the recipe. */
    String words();

    /** Whether samples are images, and so the model's network takes them. */
    boolean images();

    /** Whether samples can have classes. */
    boolean canHaveClasses();

    /** Whether the label term has batches of its own. */
    default boolean labelsApart() {
        return false;
    }

    /** How many numbers a sample has, where the recipe alone tells. */
    OptionalLong dimensions();

    /** Where the data lie, if they are a user's own files. */
    default Optional<Path> place() {
        return Optional.empty();
    }

    /** The same data, which lie there now. */
    default DataSettings at(Path place) {
        throw new UserException("--data is for images and tables, and the recipe's data are a toy set");
    }

    /** The same, to be found from any folder. */
    default DataSettings located() {
        return this;
    }

    /** Whether what the data are decides settings of the recipe, when a run begins. */
    default boolean wantsAdvice() {
        return false;
    }

    /** The same, after that. */
    default DataSettings advised() {
        return this;
    }

    /** The data on this device; the key decides their order. */
    Data open(Key key, Device device);

    /** The same, opened when something is asked that a run's facts, which are {@link Data#facts}, do not tell. */
    default Data remembered(Key key, Device device, Map<String, String> facts) {
        return open(key, device);
    }
}

package dev.kelvin.dataset;

import dev.kelvin.part.Kind;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.yaml.UserException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** What is learnt: a setting, which opens the data. */
@Kind("data")
public interface DataSettings {
    /** What people call it. */
    String title();

    /** What a run's provenance calls the data. */
    String origin();

    /** A sentence on the data, for a report. */
    String words();

    /** Whether samples are images, and so the model's network takes them. */
    default boolean images() {
        return false;
    }

    /** Whether samples can have classes. */
    default boolean canHaveClasses() {
        return false;
    }

    /** The label of samples that are no anomalies, where the recipe says so. */
    default Optional<String> normalLabel() {
        return Optional.empty();
    }

    /** Whether the label term has batches of its own. */
    default boolean labelsApart() {
        return false;
    }

    /** How many samples those batches have, where it is not as many as the others. */
    default OptionalInt labelledBatch() {
        return OptionalInt.empty();
    }

    /** How many numbers a sample has, if the recipe alone determines it. */
    default OptionalLong dimensions() {
        return OptionalLong.empty();
    }

    /** Where the data lie, if they are a user's own files. */
    default Optional<Path> place() {
        return Optional.empty();
    }

    /** These settings for data that have been moved to a place. */
    default DataSettings at(Path place) {
        throw new UserException("--data is for images and tables, and the recipe's data are a toy set");
    }

    /** These settings with absolute paths. */
    default DataSettings located() {
        return this;
    }

    /** Whether what a recipe leaves open is chosen by the data, when a run begins. */
    default boolean wantsAdvice() {
        return false;
    }

    /** These settings, of a recipe in which nothing is open any more. */
    default DataSettings advised() {
        return this;
    }

    /** The data on this device; the key decides their order. */
    Data open(Key key, Device device);
}

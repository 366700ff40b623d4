package dev.kelvin.experiment;

import dev.kelvin.Kind;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import java.util.OptionalLong;

/** What is learnt: a setting, which opens the data. */
@Kind("data")
public interface DataSettings {
    /** What people call it. */
    String title();

    /** A sentence on the data for somebody who has not read the recipe. */
    String words();

    /** Whether samples are images, and so the model's network takes them. */
    boolean images();

    /** Whether samples can have classes. */
    boolean canHaveClasses();

    /** How many numbers a sample has, where the recipe alone tells. */
    OptionalLong dimensions();

    /** The data on this device; the key decides their order. */
    Data open(Key key, Device device);
}

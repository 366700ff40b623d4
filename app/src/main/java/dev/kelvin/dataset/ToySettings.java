package dev.kelvin.dataset;

import dev.kelvin.data.toy.ToyData;
import dev.kelvin.part.Doc;
import dev.kelvin.part.Named;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import java.util.OptionalLong;

/** A toy set: fresh samples at every step. */
@Doc("fresh samples of a known density in the plane; also written {toy: rings}")
@Named("toy")
public record ToySettings(@Doc("which density") ToyData set) implements DataSettings {
    @Override
    public String title() {
        return set.name();
    }

    @Override
    public String origin() {
        return "toy " + set.name();
    }

    @Override
    public String words() {
        return "The data is the toy set “" + title() + "”, fresh samples at every step.";
    }

    @Override
    public OptionalLong dimensions() {
        return OptionalLong.of(set.dimension());
    }

    @Override
    public Data open(Key key, Device device) {
        return new PlaneDataset(set, device);
    }
}

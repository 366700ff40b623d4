package dev.kelvin.experiment;

import dev.kelvin.Doc;
import dev.kelvin.data.toy.ToyData;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import java.util.OptionalLong;

/** A toy set: fresh samples at every step. */
@Doc("fresh samples of a known density in the plane; also written {toy: rings}")
public record Toy(@Doc("which density") ToyData set) implements DataSettings {
    @Override
    public String title() {
        return set.name();
    }

    @Override
    public String words() {
        return "The data is the toy set “" + title() + "”, fresh samples at every step.";
    }

    @Override
    public boolean images() {
        return false;
    }

    @Override
    public boolean canHaveClasses() {
        return false;
    }

    @Override
    public OptionalLong dimensions() {
        return OptionalLong.of(set.dimension());
    }

    @Override
    public Data open(Key key, Device device) {
        return new PlaneData(set, device);
    }
}

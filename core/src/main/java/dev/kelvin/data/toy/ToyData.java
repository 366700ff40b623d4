package dev.kelvin.data.toy;

import dev.kelvin.energy.ExactSampler;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.math.Box;
import dev.kelvin.part.Catalogue;
import dev.kelvin.part.Citing;
import dev.kelvin.part.Kind;
import dev.kelvin.part.NamedPart;
import dev.kelvin.part.SettingException;
import dev.kelvin.part.Words;
import java.util.List;
import java.util.Optional;

/**
 * A data set in the plane that never ends: every draw is fresh, and the density that it comes from is known. A toy has no
 * settings, so one more is an instance in a {@link dev.kelvin.part.PartProvider}'s list.
 */
@Kind("toy")
public interface ToyData extends NamedPart, ExactSampler, Citing {
    /** The word for it in a recipe. */
    @Override
    String name();

    /** What it looks like, in one phrase. */
    String words();

    /** A square that holds all but about a millionth of the mass: where figures are drawn and densities normalised. */
    Box domain();

    /** The exact log-density, normalised, in the type of the points that it is asked about. */
    default Optional<LogDensity> logDensity() {
        return Optional.empty();
    }

    /** The exact log-density of scale·x + shift + noise·ξ, ξ ~ N(0, I), where it is known in closed form. */
    default Optional<LogDensity> mixed(double scale, double[] shift, double noise) {
        return Optional.empty();
    }

    /** The works that it is from; none where it is common property. */
    @Override
    default List<String> cites() {
        return List.of();
    }

    @Override
    default int dimension() {
        return 2;
    }

    /** Every registered toy set, in the order in which people want to see them. */
    static List<ToyData> all() {
        return Catalogue.instances(ToyData.class);
    }

    /** The names of all registered toy sets. */
    static List<String> names() {
        return all().stream().map(ToyData::name).toList();
    }

    /** The toy set that is so called; where there is none, the message says what there is. */
    static ToyData named(String name) {
        List<ToyData> found =
                all().stream().filter(toy -> toy.name().equals(name)).toList();
        if (found.isEmpty()) {
            throw new SettingException(
                    "toy", Words.unknown("", "", name, "one of", names()).strip());
        }
        if (found.size() > 1) {
            throw new IllegalStateException("two toy sets are called '" + name + "': "
                    + found.get(0).getClass().getName() + " and "
                    + found.get(1).getClass().getName());
        }
        return found.get(0);
    }
}

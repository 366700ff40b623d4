package dev.kelvin.data.toy;

import dev.kelvin.SettingException;
import dev.kelvin.energy.ExactSampler;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.math.Box;
import java.util.List;
import java.util.Optional;

/** A data set in the plane that never ends: every draw is fresh, and the density that it comes from is known. */
public sealed interface ToyData extends ExactSampler permits TargetToy, NoisyCurve, Checkerboard, Pinwheel {
    /** The word for it in a recipe. */
    String name();

    /** A square that holds all but about a millionth of the mass: where figures are drawn and densities normalised. */
    Box domain();

    /** The exact log-density, normalised, in the type of the points that it is asked about. */
    Optional<LogDensity> logDensity();

    /** The exact log-density of scale·x + shift + noise·ξ, ξ ~ N(0, I), where it is known in closed form. */
    default Optional<LogDensity> mixed(double scale, double[] shift, double noise) {
        return Optional.empty();
    }

    @Override
    default int dimension() {
        return 2;
    }

    /** Every toy set, in the order in which people want to see them. */
    static List<ToyData> all() {
        return Toys.ALL;
    }

    static List<String> names() {
        return Toys.ALL.stream().map(ToyData::name).toList();
    }

    static ToyData named(String name) {
        return Toys.ALL.stream()
                .filter(toy -> toy.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new SettingException(
                        "toy", "must be one of " + String.join(", ", names()) + ", found '" + name + "'"));
    }
}

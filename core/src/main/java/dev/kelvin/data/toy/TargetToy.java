package dev.kelvin.data.toy;

import dev.kelvin.energy.LogDensity;
import dev.kelvin.energy.Target;
import dev.kelvin.energy.analytic.GaussianMixture;
import dev.kelvin.math.Box;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** An analytic target as data; its f must be normalised. */
record TargetToy(String name, String words, Box domain, Target target, List<String> cites) implements ToyData {
    @Override
    public Optional<LogDensity> logDensity() {
        return Optional.of(target);
    }

    @Override
    public Optional<LogDensity> mixed(double scale, double[] shift, double noise) {
        return target instanceof GaussianMixture mixture
                ? Optional.of(mixture.mixed(scale, shift, noise))
                : Optional.empty();
    }

    @Override
    public void next(RandomGenerator random, double[] point) {
        target.next(random, point);
    }
}

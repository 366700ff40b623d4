package dev.kelvin.data;

import dev.kelvin.energy.Box;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.energy.Target;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** An analytic target as data; its f must be normalised. */
record TargetToy(String name, Box domain, Target target) implements ToyData {
    @Override
    public Optional<LogDensity> logDensity() {
        return Optional.of(target);
    }

    @Override
    public void next(RandomGenerator random, double[] point) {
        target.next(random, point);
    }
}

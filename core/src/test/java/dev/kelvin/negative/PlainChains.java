package dev.kelvin.negative;

import dev.kelvin.sample.Kernel;
import java.util.Optional;

/** Chains whose number of steps and step sizes stay. */
public final class PlainChains {
    private PlainChains() {}

    /** New chains at every draw. */
    public static ModelChains fresh(SampleSource start, Kernel<?> kernel, int steps) {
        return new ModelChains(start, kernel, Steps.of(steps), Optional.empty(), Optional.empty());
    }

    /** Chains that go on. */
    public static ModelChains persistent(SampleSource start, Kernel<?> kernel, int steps, ReplayBuffer buffer) {
        return new ModelChains(start, kernel, Steps.of(steps), Optional.of(buffer), Optional.empty());
    }
}

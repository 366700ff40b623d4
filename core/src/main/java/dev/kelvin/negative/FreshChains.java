package dev.kelvin.negative;

import dev.kelvin.Check;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.sample.Kernel;
import dev.kelvin.sample.Walk;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.State;

/** Every draw starts new chains and forgets them: short-run sampling, or contrastive divergence from the data. */
public record FreshChains(Start start, Kernel<?> kernel, int steps) implements NegativeSource {
    public FreshChains {
        Check.atLeast("steps", steps, 0);
    }

    @Override
    public DrawnNegatives draw(Key key, LogDensity target, long[] labels) {
        try (Scope scope = Scope.open()) {
            Key[] keys = key.split(2);
            Walk walk = Walk.inHalves(keys[1], kernel, target.given(labels), start.drawGiven(keys[0], labels), steps);
            return new DrawnNegatives(scope.keep(walk.x()), walk.acceptance());
        }
    }

    @Override
    public void save(State state) {}

    @Override
    public void load(State state) {}

    @Override
    public void close() {}
}

package dev.kelvin.negative;

import dev.kelvin.Check;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;

/** Other draws plus N(0, noise²). */
record NoisyStart(Start draws, double noise) implements Start {
    NoisyStart {
        Check.notNegative("noise", noise);
    }

    @Override
    public Tensor draw(Key key, int count) {
        try (Scope scope = Scope.open()) {
            Key[] keys = key.split(2);
            return scope.keep(noisy(keys[1], draws.draw(keys[0], count)));
        }
    }

    @Override
    public Tensor drawGiven(Key key, long... labels) {
        try (Scope scope = Scope.open()) {
            Key[] keys = key.split(2);
            return scope.keep(noisy(keys[1], draws.drawGiven(keys[0], labels)));
        }
    }

    private Tensor noisy(Key key, Tensor x) {
        return noise == 0 ? x : Tensors.normalLike(key, noise, x).addInPlace(x);
    }
}

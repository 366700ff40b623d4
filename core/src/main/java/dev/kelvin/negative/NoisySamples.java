package dev.kelvin.negative;

import dev.kelvin.part.Check;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.stream.LongStream;

/** Other draws plus N(0, noise²); beside a batch, on request, the batch's own samples. */
record NoisySamples(SampleSource draws, double noise, boolean atBatch) implements SampleSource {
    NoisySamples {
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
    public Tensor drawGiven(Key key, long... k) {
        try (Scope scope = Scope.open()) {
            Key[] keys = key.split(2);
            return scope.keep(noisy(keys[1], draws.drawGiven(keys[0], k)));
        }
    }

    /** The positives themselves, in turn: the i-th row's component is k[i] because components are given in turn too. */
    @Override
    public Tensor drawBeside(Key key, Batch positives, long... k) {
        if (!atBatch) {
            return drawGiven(key, k);
        }
        try (Scope scope = Scope.open()) {
            long[] rows =
                    LongStream.range(0, k.length).map(i -> i % positives.size()).toArray();
            Tensor x =
                    k.length == positives.size() ? positives.x() : positives.x().rows(rows);
            return scope.keep(noise == 0 ? x.copy() : noisy(key, x));
        }
    }

    private Tensor noisy(Key key, Tensor x) {
        return noise == 0 ? x : Tensors.normalLike(key, noise, x).addInPlace(x);
    }
}

package dev.kelvin.negative;

import dev.kelvin.part.Check;
import dev.kelvin.part.SettingException;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.LongStream;

/** Independent draws: samples of the data, or where fresh chains begin. */
@FunctionalInterface
public interface SampleSource {
    /** Fresh samples, [count, ...]. */
    Tensor draw(Key key, int count);

    /** One for each of these components; most draws are the same for all. */
    default Tensor drawGiven(Key key, long... k) {
        return draw(key, k.length);
    }

    /** One for each of these components, beside a batch of positives, which a draw may begin at. */
    default Tensor drawBeside(Key key, Batch positives, long... k) {
        return drawGiven(key, k);
    }

    /** Draws of which those that are given their components are made by another rule. */
    static SampleSource of(SampleSource draws, BiFunction<Key, long[], Tensor> given) {
        return new SampleSource() {
            @Override
            public Tensor draw(Key key, int count) {
                return draws.draw(key, count);
            }

            @Override
            public Tensor drawGiven(Key key, long... k) {
                return given.apply(key, k);
            }
        };
    }

    /** N(mean, std²) in a shape; an empty mean is zero. */
    static SampleSource gaussian(List<Double> mean, double std, List<Long> shape, Device device) {
        Check.notNegative("std", std);
        long size = shape.stream().reduce(1L, Math::multiplyExact);
        if (!mean.isEmpty() && mean.size() != size) {
            throw new SettingException("mean", "has " + mean.size() + " numbers, the data " + size + " dimensions");
        }
        double[] centre = mean.stream().mapToDouble(Double::doubleValue).toArray();
        return (key, count) -> {
            try (Scope scope = Scope.open()) {
                Tensor noise = Tensors.normal(key, DType.FLOAT, device, Tensors.batch(count, shape))
                        .timesInPlace(std);
                if (centre.length > 0) {
                    noise.addInPlace(Tensors.of(centre, Tensors.batch(1, shape))
                            .to(DType.FLOAT)
                            .to(device));
                }
                return scope.keep(noise);
            }
        };
    }

    /** Uniform on [low, high) in every coordinate of a shape. */
    static SampleSource uniform(double low, double high, List<Long> shape, Device device) {
        if (!(low < high)) {
            throw new SettingException("low", "must lie below high, found " + low + " and " + high);
        }
        return (key, count) -> Tensors.uniform(key, low, high, DType.FLOAT, device, Tensors.batch(count, shape));
    }

    /** Other draws, of the data say, plus N(0, noise²). */
    static SampleSource noisy(SampleSource draws, double noise) {
        return new Noisy(draws, noise, false);
    }

    /** Other draws plus N(0, noise²); beside a batch, on request, the batch's own samples. */
    record Noisy(SampleSource draws, double noise, boolean atBatch) implements SampleSource {
        public Noisy {
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
                long[] rows = LongStream.range(0, k.length)
                        .map(i -> i % positives.size())
                        .toArray();
                Tensor x = k.length == positives.size()
                        ? positives.x()
                        : positives.x().rows(rows);
                return scope.keep(noise == 0 ? x.copy() : noisy(key, x));
            }
        }

        private Tensor noisy(Key key, Tensor x) {
            return noise == 0 ? x : Tensors.normalLike(key, noise, x).addInPlace(x);
        }
    }
}

package dev.kelvin.recipe;

import dev.kelvin.Check;
import dev.kelvin.Default;
import dev.kelvin.Doc;
import dev.kelvin.negative.Start;
import dev.kelvin.tensor.Device;
import java.util.List;
import java.util.Optional;

/** Where chains start. */
public sealed interface StartSpec {
    /** Starts of this shape; {@code data} gives samples of the data. */
    Start start(List<Long> shape, Start data, Device device);

    @Doc("Gaussian noise")
    record Gaussian(
            @Doc(value = "its mean, a number a dimension", otherwise = "0")
            Optional<List<Double>> mean,

            @Doc("its standard deviation") @Default("1") double std)
            implements StartSpec {
        public Gaussian {
            Optional<List<Double>> copy = mean.map(List::copyOf);
            Check.all(() -> copy.ifPresent(values -> Check.finite("mean", values)), () -> Check.positive("std", std));
            mean = copy;
        }

        @Override
        public Start start(List<Long> shape, Start data, Device device) {
            return Start.gaussian(mean.orElse(List.of()), std, shape, device);
        }
    }

    @Doc("uniform noise")
    record Uniform(
            @Doc("the lower bound of every coordinate") @Default("-1")
            double low,

            @Doc("the upper bound") @Default("1") double high)
            implements StartSpec {
        public Uniform {
            Check.all(() -> Check.finite("low", low), () -> Check.finite("high", high));
            Check.require(
                    low < high,
                    "high",
                    "must be above low, " + ScalarText.format(low) + ", found " + ScalarText.format(high));
        }

        @Override
        public Start start(List<Long> shape, Start data, Device device) {
            return Start.uniform(low, high, shape, device);
        }
    }

    @Doc("samples of the data")
    record Data(
            @Doc("the standard deviation of noise added to them") @Default("0")
            double noise) implements StartSpec {
        public Data {
            Check.notNegative("noise", noise);
        }

        @Override
        public Start start(List<Long> shape, Start data, Device device) {
            return Start.noisy(data, noise);
        }
    }
}

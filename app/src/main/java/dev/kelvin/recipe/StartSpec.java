package dev.kelvin.recipe;

import dev.kelvin.Check;
import java.util.List;
import java.util.Optional;

/** Where chains start. */
public sealed interface StartSpec {
    @Doc("Gaussian noise")
    record Gaussian(
            @Doc(value = "its mean, a number a dimension", otherwise = "0")
            Optional<List<Double>> mean,

            @Doc("its standard deviation") @Default("1") double std)
            implements StartSpec {
        public Gaussian {
            Optional<List<Double>> copy = mean.map(List::copyOf);
            Checks.all(() -> copy.ifPresent(values -> Checks.finite("mean", values)), () -> Check.positive("std", std));
            mean = copy;
        }
    }

    @Doc("uniform noise")
    record Uniform(
            @Doc("the lower bound of every coordinate") @Default("-1")
            double low,

            @Doc("the upper bound") @Default("1") double high)
            implements StartSpec {
        public Uniform {
            Checks.all(() -> Check.finite("low", low), () -> Check.finite("high", high));
            Checks.require(
                    low < high,
                    "high",
                    "must be above low, " + Scalars.format(low) + ", found " + Scalars.format(high));
        }
    }

    @Doc("samples of the data")
    record Data(
            @Doc("the standard deviation of noise added to them") @Default("0")
            double noise) implements StartSpec {
        public Data {
            Check.notNegative("noise", noise);
        }
    }
}

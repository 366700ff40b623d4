package dev.kelvin.negative;

import dev.kelvin.Check;
import dev.kelvin.Default;
import dev.kelvin.Doc;
import dev.kelvin.Kind;
import dev.kelvin.Named;
import dev.kelvin.tensor.Device;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;

/** Where fresh chains begin: a setting, which becomes {@link Draws} once the data are known. */
@Kind("start")
public interface Start {
    /** Draws of this shape; {@code data} gives samples of the data. */
    Draws draws(List<Long> shape, Draws data, Device device);

    /** What it is, in words that follow "start at". */
    String words();

    /** Refuses data that it does not fit, by the setting; {@code dimensions} is how many numbers a sample has. */
    default void requireFit(long dimensions) {}

    /** Whether the draws need the data, so that they are opened for them. */
    default boolean usesData() {
        return true;
    }

    /** Whether chains begin at the very samples of the batch, so that each has its positive's column. */
    default boolean atBatch() {
        return false;
    }

    @Doc("Gaussian noise")
    @Named("gaussian")
    record GaussianStart(
            @Doc(value = "its mean, one number for each dimension", otherwise = "0")
            Optional<List<Double>> mean,

            @Doc("its standard deviation") @Default("1") double std)
            implements Start {
        public GaussianStart {
            Optional<List<Double>> copy = mean.map(List::copyOf);
            Check.all(() -> copy.ifPresent(values -> Check.finite("mean", values)), () -> Check.positive("std", std));
            mean = copy;
        }

        @Override
        public Draws draws(List<Long> shape, Draws data, Device device) {
            return Draws.gaussian(mean.orElse(List.of()), std, shape, device);
        }

        @Override
        public boolean usesData() {
            return false;
        }

        @Override
        public void requireFit(long dimensions) {
            mean.ifPresent(values -> Check.require(
                    values.size() == dimensions,
                    "mean",
                    "takes " + dimensions + " numbers, as the data has, found " + values.size()));
        }

        @Override
        public String words() {
            return "Gaussian noise of standard deviation " + number(std);
        }
    }

    @Doc("uniform noise")
    @Named("uniform")
    record UniformStart(
            @Doc("the lower bound of every coordinate") @Default("-1")
            double low,

            @Doc("the upper bound") @Default("1") double high)
            implements Start {
        public UniformStart {
            Check.all(() -> Check.finite("low", low), () -> Check.finite("high", high));
            Check.require(low < high, "high", "must be above low, " + number(low) + ", found " + number(high));
        }

        @Override
        public Draws draws(List<Long> shape, Draws data, Device device) {
            return Draws.uniform(low, high, shape, device);
        }

        @Override
        public boolean usesData() {
            return false;
        }

        @Override
        public String words() {
            return "uniform noise on [" + number(low) + ", " + number(high) + "]";
        }
    }

    @Doc("fresh samples of the data")
    @Named("data")
    record DataStart(
            @Doc("the standard deviation of noise added to them") @Default("0")
            double noise) implements Start {
        public DataStart {
            Check.notNegative("noise", noise);
        }

        @Override
        public Draws draws(List<Long> shape, Draws data, Device device) {
            return Draws.noisy(data, noise);
        }

        @Override
        public String words() {
            return noise > 0 ? "samples of the data plus noise of " + number(noise) : "samples of the data";
        }
    }

    @Doc("each batch's own positives, as contrastive divergence has it (CD-k)")
    @Named("batch")
    record BatchStart(
            @Doc("the standard deviation of noise added to them") @Default("0")
            double noise) implements Start {
        public BatchStart {
            Check.notNegative("noise", noise);
        }

        @Override
        public Draws draws(List<Long> shape, Draws data, Device device) {
            return new NoisyDraws(data, noise, true);
        }

        @Override
        public boolean atBatch() {
            return true;
        }

        @Override
        public String words() {
            return noise > 0 ? "each batch's own samples plus noise of " + number(noise) : "each batch's own samples";
        }
    }

    private static String number(double value) {
        return BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
    }
}

package dev.kelvin.negative;

import dev.kelvin.energy.Gaussian;
import dev.kelvin.part.Check;
import dev.kelvin.part.Cites;
import dev.kelvin.part.Default;
import dev.kelvin.part.Doc;
import dev.kelvin.part.Kind;
import dev.kelvin.part.Named;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Where fresh chains begin: a setting, which becomes {@link SampleSource} once the data are known. */
@Kind("start")
public interface Start {
    /** Draws of this shape; {@code data} gives samples of the data. */
    SampleSource draws(List<Long> shape, SampleSource data, Device device);

    /**
     * Draws of a start that may be fitted to the whole training set: {@code gaussians} gives a Gaussian of each class, or one
     * of all data where there are no classes, which are made when they are asked for.
     */
    default SampleSource draws(List<Long> shape, SampleSource data, Supplier<SampleSource> gaussians, Device device) {
        return draws(shape, data, device);
    }

    /** What it is, in words that follow "start at". */
    String words();

    /** Refuses data that it does not fit, by the setting; {@code dimensions} is how many numbers a sample has. */
    default void requireFit(long dimensions) {}

    /** Whether the draws need the data, so that they are opened for them. */
    default boolean usesData() {
        return true;
    }

    /** Whether chains begin at the very samples of the batch, so that each has its positive's component. */
    default boolean atBatch() {
        return false;
    }

    /** N(mean, std²) in every coordinate. */
    @Doc("Gaussian noise")
    @Named("gaussian")
    record GaussianStart(
            @Doc(value = "its mean, one number for each dimension", otherwise = "0")
            Optional<List<Double>> mean,

            @Doc("its standard deviation, in units of latent.std for latent vectors") @Default("1")
            double std)
            implements Start {
        public GaussianStart {
            Optional<List<Double>> copy = mean.map(List::copyOf);
            Check.all(() -> copy.ifPresent(values -> Check.finite("mean", values)), () -> Check.positive("std", std));
            mean = copy;
        }

        @Override
        public SampleSource draws(List<Long> shape, SampleSource data, Device device) {
            return SampleSource.gaussian(mean.orElse(List.of()), std, shape, device);
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

    /** Uniform on [low, high) in every coordinate. */
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
        public SampleSource draws(List<Long> shape, SampleSource data, Device device) {
            return SampleSource.uniform(low, high, shape, device);
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

    /** Samples of the data, other ones than the batch's. */
    @Doc("fresh samples of the data")
    @Named("data")
    record DataStart(
            @Doc("the standard deviation of noise added to them") @Default("0")
            double noise) implements Start {
        public DataStart {
            Check.notNegative("noise", noise);
        }

        @Override
        public SampleSource draws(List<Long> shape, SampleSource data, Device device) {
            return SampleSource.noisy(data, noise);
        }

        @Override
        public String words() {
            return noise > 0 ? "samples of the data plus noise of " + number(noise) : "samples of the data";
        }
    }

    /** The positives of the step themselves. */
    @Doc("each batch's own positives, as in contrastive divergence (CD-k)")
    @Named("batch")
    @Cites("hinton2002")
    record BatchStart(
            @Doc("the standard deviation of noise added to them") @Default("0")
            double noise) implements Start {
        public BatchStart {
            Check.notNegative("noise", noise);
        }

        @Override
        public SampleSource draws(List<Long> shape, SampleSource data, Device device) {
            return new SampleSource.Noisy(data, noise, true);
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

    /** Fitted to draws of the data where there is no training set, which is the case of points. */
    @Doc("Gaussian draws with the mean and the full covariance of the training images of each class (JEM++, SADA-JEM)")
    @Named("class-gaussian")
    @Cites("yang2021")
    record ClassGaussianStart() implements Start {
        /** Draws that one Gaussian is fitted to. */
        private static final int FITTED = 10_000;

        /** Numbers of a sample up to which a matrix for each of ten classes takes no more than 640 MB. */
        private static final int MOST = 4096;

        @Override
        public void requireFit(long dimensions) {
            Check.require(
                    dimensions <= MOST,
                    "covariance",
                    "would have " + dimensions + "² numbers for each class; samples may have up to " + MOST
                            + " numbers, such as 3×32×32: start at uniform, or at data with noise");
        }

        @Override
        public SampleSource draws(List<Long> shape, SampleSource data, Device device) {
            Gaussian fitted;
            try (Scope scope = Scope.open()) {
                Tensor x = data.draw(Key.of(0), FITTED)
                        .to(Device.CPU)
                        .to(DType.DOUBLE)
                        .flattenSamples();
                Tensor mean = x.mean(0L);
                Tensor centred = x.minus(mean);
                Tensor covariance = centred.transpose().matmul(centred).over(FITTED - 1.0);
                fitted = Gaussian.of(mean, covariance, variance -> variance);
            }
            return (key, count) -> {
                try (Scope scope = Scope.open()) {
                    return scope.keep(
                            fitted.draw(key, count, DType.FLOAT).to(device).reshape(Tensors.batch(count, shape)));
                }
            };
        }

        @Override
        public SampleSource draws(
                List<Long> shape, SampleSource data, Supplier<SampleSource> gaussians, Device device) {
            return gaussians.get();
        }

        /** The fit is kept in a file; where there is none, fitting opens the data. */
        @Override
        public boolean usesData() {
            return false;
        }

        @Override
        public String words() {
            return "draws of a Gaussian with the data's mean and covariance, of each class where there are classes";
        }
    }

    private static String number(double value) {
        return BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
    }
}

package dev.kelvin.bench;

import dev.kelvin.bench.Posteriors.Problem;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.energy.Support;
import dev.kelvin.sample.posterior.PosteriorSampler;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/** The posteriors by which the sampler's defaults were chosen. */
final class KnownPosteriors {
    private KnownPosteriors() {}

    static List<Problem> all() {
        return List.of(
                gaussian("gaussian axis", false),
                gaussian("gaussian rotated", true),
                eightSchools(),
                logistic(),
                autoregression());
    }

    /** 50 dimensions, standard deviations from 0.1 to 10 in equal ratios: condition number 10⁴. */
    private static Problem gaussian(String name, boolean rotated) {
        int d = 50;
        double[][] axes = rotated ? rotation(d) : identity(d);
        double[] widths = IntStream.range(0, d)
                .mapToDouble(i -> 0.1 * Math.pow(100, i / (d - 1.0)))
                .toArray();
        double[] means = IntStream.range(0, d).mapToDouble(i -> i % 5 - 2.0).toArray();
        double[] sds = new double[d];
        double[] rows = new double[d * d];
        for (int i = 0; i < d; i++) {
            for (int k = 0; k < d; k++) {
                rows[i * d + k] = axes[k][i] / widths[k];
                sds[i] += axes[k][i] * axes[k][i] * widths[k] * widths[k];
            }
            sds[i] = Math.sqrt(sds[i]);
        }
        Tensor mean = Tensors.of(means, 1, d);
        Tensor whitening = Tensors.of(rows, d, d);
        LogDensity density =
                x -> x.minus(mean).matmul(whitening).square().sum(1L).times(-0.5);
        return new Problem(name, PosteriorSampler.of(density, d), means, sds);
    }

    private static double[][] identity(int d) {
        double[][] matrix = new double[d][d];
        IntStream.range(0, d).forEach(i -> matrix[i][i] = 1);
        return matrix;
    }

    /** Random directions made orthogonal, by Gram and Schmidt. */
    private static double[][] rotation(int d) {
        RandomGenerator random = Key.of(77).stream();
        double[][] axes = new double[d][d];
        for (int i = 0; i < d; i++) {
            double[] axis = axes[i];
            Arrays.setAll(axis, j -> random.nextGaussian());
            for (int k = 0; k < i; k++) {
                double[] other = axes[k];
                double along = IntStream.range(0, d)
                        .mapToDouble(j -> axis[j] * other[j])
                        .sum();
                Arrays.setAll(axis, j -> axis[j] - along * other[j]);
            }
            double length = Math.sqrt(Arrays.stream(axis).map(a -> a * a).sum());
            Arrays.setAll(axis, j -> axis[j] / length);
        }
        return axes;
    }

    /** Rubin's (1981), non-centred: mu, tau, and each school's effect in units of tau. */
    private static Problem eightSchools() {
        Tensor effects = Tensors.of(new double[] {28, 8, -3, 7, -1, 1, 18, 12}, 1, 8);
        Tensor errors = Tensors.of(new double[] {15, 10, 16, 11, 9, 11, 10, 18}, 1, 8);
        LogDensity density = x -> {
            Tensor mu = x.narrow(1, 0, 1);
            Tensor tau = x.narrow(1, 1, 1);
            Tensor z = x.narrow(1, 2, 8);
            Tensor residual = z.times(tau).plus(mu).minus(effects).over(errors);
            Tensor squares = residual.square()
                    .plus(z.square())
                    .sum(1L)
                    .plus(mu.over(5).square().squeeze(1));
            return squares.times(-0.5).minus(tau.over(5).square().plus(1).log().squeeze(1));
        };
        // by quadrature over tau, the rest being Gaussian given it
        double[] means = {
            4.39682071,
            3.59770548,
            0.3166598,
            0.09726283,
            -0.0855468,
            0.06160298,
            -0.16076399,
            -0.07223162,
            0.35672544,
            0.07560724
        };
        double[] sds = {
            3.31770446,
            3.21995841,
            0.98847458,
            0.93770716,
            0.96831073,
            0.94399627,
            0.93066484,
            0.94378557,
            0.96042297,
            0.97412351
        };
        return new Problem(
                "eight schools", PosteriorSampler.of(density, 10).withSupport(1, Support.positive()), means, sds);
    }

    /** 20 columns that share half of their variance, 200 rows, unit Gaussian prior. */
    private static Problem logistic() {
        int rows = 200;
        int d = 20;
        RandomGenerator random = Key.of(5).stream();
        double[] columns = new double[rows * d];
        double[] labels = new double[rows];
        for (int i = 0; i < rows; i++) {
            double shared = random.nextGaussian();
            double logit = 0;
            for (int j = 0; j < d; j++) {
                double x = Math.sqrt(0.9) * shared + Math.sqrt(0.1) * random.nextGaussian();
                columns[i * d + j] = x;
                logit += x * Math.sin(j);
            }
            labels[i] = random.nextDouble() < 1 / (1 + Math.exp(-logit)) ? 1 : 0;
        }
        Tensor design = Tensors.of(columns, rows, d).transpose().contiguous();
        Tensor label = Tensors.of(labels, 1, rows);
        LogDensity density = x -> {
            Tensor logit = x.matmul(design);
            return logit.times(label)
                    .minus(logit.softplus())
                    .sum(1L)
                    .minus(x.square().sum(1L).times(0.5));
        };
        // by 640 000 draws of another seed, to 0.002 standard deviations; rstan 2.21.7's 40 000 agree to 0.009
        double[] means = {
            0.331495,
            0.771751,
            1.44710,
            0.434218,
            -0.291437,
            -1.15231,
            -0.479422,
            0.482519,
            1.13701,
            -0.0258228,
            -0.851887,
            -0.712780,
            -0.438723,
            0.343743,
            0.594543,
            0.639245,
            0.0407929,
            -1.42967,
            -0.850094,
            -0.142556
        };
        double[] sds = {
            0.471894, 0.492075, 0.481852, 0.455948, 0.460557, 0.457827, 0.459827, 0.499714, 0.445158, 0.432105,
            0.445954, 0.477223, 0.464088, 0.464157, 0.462406, 0.482872, 0.448571, 0.472383, 0.475065, 0.451853
        };
        return new Problem("logistic", PosteriorSampler.of(density, d), means, sds);
    }

    /** y_t = a + φy_{t−1} + σε, 60 steps: a real, φ within ±1, σ positive. */
    private static Problem autoregression() {
        int steps = 60;
        RandomGenerator random = Key.of(6).stream();
        double[] y = new double[steps];
        for (int t = 1; t < steps; t++) {
            y[t] = 0.2 + 0.9 * y[t - 1] + 0.5 * random.nextGaussian();
        }
        Tensor now = Tensors.of(Arrays.copyOfRange(y, 1, steps), 1, steps - 1);
        Tensor before = Tensors.of(Arrays.copyOfRange(y, 0, steps - 1), 1, steps - 1);
        LogDensity density = x -> {
            Tensor a = x.narrow(1, 0, 1);
            Tensor phi = x.narrow(1, 1, 1);
            Tensor sigma = x.narrow(1, 2, 1);
            Tensor residual = now.minus(a).minus(phi.times(before)).over(sigma);
            Tensor prior = a.square().plus(sigma.square()).squeeze(1).times(-0.5);
            return residual.square()
                    .sum(1L)
                    .times(-0.5)
                    .plus(sigma.log().squeeze(1), 1.0 - steps)
                    .plus(prior);
        };
        PosteriorSampler sampler = PosteriorSampler.of(density, 3)
                .withSupport(1, Support.interval(-1, 1))
                .withSupport(2, Support.positive())
                .withNames("a", "phi", "sigma");
        // by quadrature over phi and sigma, a being Gaussian given them
        double[] means = {0.6239110, 0.6998773, 0.5410307};
        return new Problem("autoregression", sampler, means, new double[] {0.1936914, 0.0969910, 0.0518190});
    }
}

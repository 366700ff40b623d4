package dev.kelvin.bench;

import dev.kelvin.bench.Posteriors.Problem;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.energy.Support;
import dev.kelvin.sample.posterior.PosteriorSampler;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** Posteriors that are hard for one reason each, and two on which the sampler is to warn. */
final class HarderPosteriors {
    private HarderPosteriors() {}

    static List<Problem> all() {
        return List.of(
                scales(),
                student(5),
                student(3),
                new Problem(
                        "weak",
                        PosteriorSampler.of(HarderPosteriors::weak, 3),
                        new double[] {1.499925, 1.499925, 0},
                        new double[] {7.07124458, 7.07124458, 10}),
                funnel(),
                new Problem(
                        "banana", PosteriorSampler.of(HarderPosteriors::banana, 2), new double[] {0, 1}, new double[] {
                            1, 1.5
                        }),
                chain(),
                betas(),
                gammas(),
                far(),
                laplace(),
                neal(),
                modes());
    }

    /** Independent, with widths from 10⁻³ to 10³. */
    private static Problem scales() {
        double[] widths = {1e-3, 1e-2, 0.1, 1, 10, 100, 1e3};
        double[] means = {1, -1, 0, 2, -30, 50, 2000};
        Tensor width = Tensors.of(widths, 1, 7);
        Tensor mean = Tensors.of(means, 1, 7);
        return new Problem(
                "scales",
                PosteriorSampler.of(
                        x -> x.minus(mean).over(width).square().sum(1L).times(-0.5), 7),
                means,
                widths);
    }

    /** Student's t with ν degrees of freedom, 10 independent coordinates; with 3, the error of the sd has none itself. */
    private static Problem student(int nu) {
        return new Problem(
                "student " + nu,
                PosteriorSampler.of(
                        x -> x.square().over(nu).plus(1).log().sum(1L).times(-(nu + 1) / 2.0), 10),
                new double[10],
                all(10, Math.sqrt(nu / (nu - 2.0))));
    }

    private static double[] all(int d, double number) {
        double[] numbers = new double[d];
        Arrays.fill(numbers, number);
        return numbers;
    }

    /** Only the sum of the first two is measured well: a ridge 100 times as long as wide. */
    private static Tensor weak(Tensor x) {
        Tensor sum = x.select(1, 0).plus(x.select(1, 1)).minus(3);
        return x.over(10).square().sum(1L).plus(sum.over(0.1).square()).times(-0.5);
    }

    private static Problem funnel() {
        double[] means = new double[10];
        double[] sds = new double[10];
        Arrays.fill(means, 0.2952447967); // by quadrature over the first, the others being Gaussian given it
        Arrays.fill(sds, 0.9235624503);
        means[0] = -0.8081492901;
        sds[0] = 0.6316473796;
        return new Problem("funnel", PosteriorSampler.of(HarderPosteriors::funnel, 10), means, sds);
    }

    private static Tensor funnel(Tensor x) {
        // y given v of Neal's funnel, both non-centred, observed at 1 with unit error
        Tensor v = x.narrow(1, 0, 1).times(3);
        Tensor y = x.narrow(1, 1, 9).times(v.times(0.5).exp());
        return x.square().sum(1L).plus(y.minus(1).square().sum(1L)).times(-0.5);
    }

    private static Tensor banana(Tensor x) {
        Tensor a = x.select(1, 0);
        Tensor b = x.select(1, 1).minus(a.square());
        return a.square().plus(b.square(), 4).times(-0.5);
    }

    /** 150 dimensions, too many for a metric with correlations: x_i given x_{i−1} is N(0.9x_{i−1}, 0.19). */
    private static Problem chain() {
        int d = 150;
        LogDensity density = x -> {
            Tensor steps = x.narrow(1, 1, d - 1).minus(x.narrow(1, 0, d - 1).times(0.9));
            return steps.square()
                    .sum(1L)
                    .over(0.19)
                    .plus(x.select(1, 0).square())
                    .times(-0.5);
        };
        return new Problem("chain", PosteriorSampler.of(density, d), new double[d], all(d, 1));
    }

    /** Beta distributions, one of them heaped at both bounds. */
    private static Problem betas() {
        double[] a = {0.5, 2, 5, 30};
        double[] b = {0.5, 5, 1, 3};
        double[] means = new double[4];
        double[] sds = new double[4];
        for (int i = 0; i < 4; i++) {
            double sum = a[i] + b[i];
            means[i] = a[i] / sum;
            sds[i] = Math.sqrt(a[i] * b[i] / (sum * sum * (sum + 1)));
        }
        Tensor one = Tensors.of(a, 1, 4).minus(1);
        Tensor two = Tensors.of(b, 1, 4).minus(1);
        LogDensity density = x ->
                x.log().times(one).plus(x.negate().plus(1).log().times(two)).sum(1L);
        return new Problem("betas", bounded(density, Support.interval(0, 1)), means, sds);
    }

    private static PosteriorSampler bounded(LogDensity density, Support support) {
        return PosteriorSampler.of(density, 4)
                .withSupport(0, support)
                .withSupport(1, support)
                .withSupport(2, support)
                .withSupport(3, support);
    }

    /** Gamma distributions of shapes from ½ to 50, their scales from 10⁻³ to 10⁴. */
    private static Problem gammas() {
        double[] shape = {0.5, 1, 3, 50};
        double[] scale = {1e4, 1, 1e-3, 10};
        Tensor power = Tensors.of(shape, 1, 4).minus(1);
        Tensor width = Tensors.of(scale, 1, 4);
        LogDensity density = x -> x.log().times(power).minus(x.over(width)).sum(1L);
        return new Problem(
                "gammas",
                bounded(density, Support.positive()),
                IntStream.range(0, 4).mapToDouble(i -> shape[i] * scale[i]).toArray(),
                IntStream.range(0, 4)
                        .mapToDouble(i -> Math.sqrt(shape[i]) * scale[i])
                        .toArray());
    }

    /** Five coordinates of unit width, 10⁵ of them away from where chains start. */
    private static Problem far() {
        return new Problem(
                "far", PosteriorSampler.of(x -> x.minus(1e5).square().sum(1L).times(-0.5), 5), all(5, 1e5), all(5, 1));
    }

    /** exp(−|x|) in 10 coordinates: a kink in each. */
    private static Problem laplace() {
        return new Problem(
                "laplace",
                PosteriorSampler.of(x -> x.abs().sum(1L).negate(), 10),
                new double[10],
                all(10, Math.sqrt(2)));
    }

    /** Neal's funnel as it stands, v ~ N(0, 9) and nine of N(0, eᵛ): no single step size fits, which must be said. */
    private static Problem neal() {
        LogDensity density = x -> {
            Tensor v = x.select(1, 0);
            Tensor squares = x.narrow(1, 1, 9).square().sum(1L);
            return v.square()
                    .over(9)
                    .plus(squares.times(v.negate().exp()))
                    .plus(v, 9)
                    .times(-0.5);
        };
        double[] sds = all(10, Math.exp(9.0 / 4));
        sds[0] = 3;
        return new Problem("neal", PosteriorSampler.of(density, 10), new double[10], sds);
    }

    /** Two modes that are 20 standard deviations apart: chains stay in theirs, which must be said. */
    private static Problem modes() {
        LogDensity density = x -> {
            Tensor low = x.plus(10).square().sum(1L).times(-0.5);
            Tensor high = x.minus(10).square().sum(1L).times(-0.5);
            return high.plus(low.minus(high).softplus());
        };
        return new Problem("modes", PosteriorSampler.of(density, 2), new double[2], all(2, Math.sqrt(101)));
    }
}

package dev.kelvin.bench;

import dev.kelvin.bench.Posteriors.Problem;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.energy.Support;
import dev.kelvin.math.InverseNormal;
import dev.kelvin.sample.posterior.PosteriorSampler;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** Posteriors of parameters given data: hierarchies as they should not be written, a regression, a mixture. */
final class DataPosteriors {
    private DataPosteriors() {}

    static List<Problem> all() {
        return List.of(centredSchools(), randomEffects(), regression(), mixture());
    }

    /** Rubin's schools, centred: mu, tau, and each school's effect, in a funnel as tau goes to 0. */
    private static Problem centredSchools() {
        Tensor effects = Tensors.of(new double[] {28, 8, -3, 7, -1, 1, 18, 12}, 1, 8);
        Tensor errors = Tensors.of(new double[] {15, 10, 16, 11, 9, 11, 10, 18}, 1, 8);
        LogDensity density = x -> {
            Tensor mu = x.narrow(1, 0, 1);
            Tensor tau = x.narrow(1, 1, 1);
            Tensor theta = x.narrow(1, 2, 8);
            Tensor squares = theta.minus(effects)
                    .over(errors)
                    .square()
                    .plus(theta.minus(mu).over(tau).square())
                    .sum(1L)
                    .plus(mu.over(5).square().squeeze(1));
            return squares.times(-0.5)
                    .minus(tau.over(5).square().plus(1).log().squeeze(1))
                    .minus(tau.log().times(8).squeeze(1));
        };
        // by quadrature over tau, the rest being Gaussian given it
        double[] means = {
            4.39682068,
            3.59770609,
            6.21188447,
            4.94017847,
            3.92700429,
            4.75709831,
            3.61547685,
            4.04261254,
            6.29672441,
            4.85425336
        };
        double[] sds = {
            3.31770449,
            3.21995835,
            5.59312648,
            4.67426867,
            5.26261538,
            4.78029756,
            4.65745278,
            4.82686582,
            5.07784897,
            5.29080135
        };
        return new Problem(
                "centred schools", PosteriorSampler.of(density, 10).withSupport(1, Support.positive()), means, sds);
    }

    /** A normal quantile for each of n equal shares: data without chance. */
    private static double[] quantiles(int n, double mean, double sd) {
        return IntStream.range(0, n)
                .mapToDouble(i -> mean + sd * InverseNormal.of((i + 0.5) / n))
                .toArray();
    }

    /** y_jk = θ_j + σe_jk, θ_j ~ N(μ, τ²), 10 groups of 5: μ, τ, σ, θ. */
    private static Problem randomEffects() {
        double[] centres = quantiles(10, 10, 3);
        double[] errors = quantiles(5, 0, 2);
        double[] rows = new double[50];
        Arrays.setAll(rows, i -> centres[i / 5] + errors[i % 5]);
        Tensor data = Tensors.of(rows, 1, 10, 5);
        LogDensity density = x -> {
            Tensor mu = x.narrow(1, 0, 1);
            Tensor tau = x.narrow(1, 1, 1);
            Tensor sigma = x.narrow(1, 2, 1);
            Tensor theta = x.narrow(1, 3, 10);
            Tensor noise = data.minus(theta.unsqueeze(2)).square().sum(1L, 2L).unsqueeze(1);
            Tensor spread = theta.minus(mu).over(tau).square().sum(1L).unsqueeze(1);
            return noise.over(sigma.square())
                    .plus(spread)
                    .plus(mu.over(20).square())
                    .times(-0.5)
                    .minus(sigma.log().times(50))
                    .minus(tau.log().times(10))
                    .minus(sigma.over(5).square().plus(1).log())
                    .minus(tau.over(5).square().plus(1).log())
                    .squeeze(1);
        };
        // by quadrature over tau and sigma, the rest being Gaussian given them
        double[] means = {
            9.9710556,
            3.1566043,
            2.0188023,
            5.5125400,
            7.1716594,
            8.1586543,
            8.9471987,
            9.6552709,
            10.3406103,
            11.0486825,
            11.8372269,
            12.8242219,
            14.4833412
        };
        double[] sds = {
            1.0761428, 0.9130150, 0.2348212, 0.9021165, 0.8820669, 0.8743406, 0.8704958, 0.8688310, 0.8688405,
            0.8705249, 0.8743914, 0.8821442, 0.9022365
        };
        return new Problem(
                "random effects",
                PosteriorSampler.of(density, 13)
                        .withSupport(1, Support.positive())
                        .withSupport(2, Support.positive()),
                means,
                sds);
    }

    /** y = a + bx + σe with x around 100, which is not centred: a and b have a correlation of −0.99; flat priors. */
    private static Problem regression() {
        int n = 60;
        double[] x = quantiles(n, 100, 15);
        double[] noise = quantiles(n, 0, 18);
        double[] y = new double[n];
        Arrays.setAll(y, i -> 25 + 0.6 * x[i] + noise[i * 7 % n]);
        Tensor xs = Tensors.of(x, 1, n);
        Tensor ys = Tensors.of(y, 1, n);
        LogDensity density = p -> {
            Tensor residual =
                    ys.minus(p.narrow(1, 0, 1)).minus(p.narrow(1, 1, 1).times(xs));
            Tensor sigma = p.narrow(1, 2, 1);
            return residual.over(sigma)
                    .square()
                    .sum(1L)
                    .times(-0.5)
                    .minus(sigma.log().squeeze(1).times(n));
        };
        double xMean = Arrays.stream(x).average().orElseThrow();
        double yMean = Arrays.stream(y).average().orElseThrow();
        double xx = 0;
        double xy = 0;
        double yy = 0;
        for (int i = 0; i < n; i++) {
            xx += (x[i] - xMean) * (x[i] - xMean);
            xy += (x[i] - xMean) * (y[i] - yMean);
            yy += (y[i] - yMean) * (y[i] - yMean);
        }
        double slope = xy / xx;
        double rest = yy - slope * xy;
        // σ^(2−n)·exp(−rest/2σ²) of σ alone; a and b are Gaussian given it
        double[] moments = new double[3];
        double peak = Math.sqrt(rest / (n - 2));
        for (double sigma = 0.3 * peak; sigma < 4 * peak; sigma += 1e-4 * peak) {
            double weight =
                    Math.exp((2 - n) * Math.log(sigma / peak) - rest / 2 * (1 / (sigma * sigma) - 1 / (peak * peak)));
            moments[0] += weight;
            moments[1] += weight * sigma;
            moments[2] += weight * sigma * sigma;
        }
        double mean = moments[1] / moments[0];
        double square = moments[2] / moments[0];
        return new Problem(
                "regression",
                PosteriorSampler.of(density, 3)
                        .withSupport(2, Support.positive())
                        .withNames("a", "b", "sigma"),
                new double[] {yMean - slope * xMean, slope, mean},
                new double[] {
                    Math.sqrt(square * (1.0 / n + xMean * xMean / xx)),
                    Math.sqrt(square / xx),
                    Math.sqrt(square - mean * mean)
                });
    }

    /** Two normal components with ordered means: the lower, the gap to the other, both widths, the share of the lower. */
    private static Problem mixture() {
        double[] y = new double[50];
        System.arraycopy(quantiles(30, -2, 1), 0, y, 0, 30);
        System.arraycopy(quantiles(20, 1.5, 0.8), 0, y, 30, 20);
        Tensor data = Tensors.of(y, 1, 50);
        LogDensity density = x -> {
            Tensor mu = x.narrow(1, 0, 1);
            Tensor gap = x.narrow(1, 1, 1);
            Tensor one = x.narrow(1, 2, 1);
            Tensor two = x.narrow(1, 3, 1);
            Tensor share = x.narrow(1, 4, 1);
            Tensor rest = share.negate().plus(1);
            Tensor low = data.minus(mu)
                    .over(one)
                    .square()
                    .times(-0.5)
                    .minus(one.log())
                    .plus(share.log());
            Tensor high = data.minus(mu)
                    .minus(gap)
                    .over(two)
                    .square()
                    .times(-0.5)
                    .minus(two.log())
                    .plus(rest.log());
            Tensor prior = mu.over(2)
                    .square()
                    .plus(gap.over(4).square())
                    .plus(one.over(2).square())
                    .plus(two.over(2).square())
                    .times(-0.5)
                    .plus(share.log().plus(rest.log()).times(4));
            return high.plus(low.minus(high).softplus()).sum(1L).plus(prior.squeeze(1));
        };
        // by 160 000 draws of rstan 2.21.7, worth 12 000 to 52 000 independent ones
        double[] means = {-1.95583432, 3.26472083, 1.09054817, 1.02888071, 0.56405478};
        double[] sds = {0.328728279, 0.491378728, 0.268248725, 0.355009140, 0.096364068};
        return new Problem(
                "mixture",
                PosteriorSampler.of(density, 5)
                        .withSupport(1, Support.positive())
                        .withSupport(2, Support.positive())
                        .withSupport(3, Support.positive())
                        .withSupport(4, Support.interval(0, 1))
                        .withNames("mu", "gap", "sigma1", "sigma2", "theta"),
                means,
                sds);
    }
}

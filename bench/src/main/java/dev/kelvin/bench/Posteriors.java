package dev.kelvin.bench;

import dev.kelvin.diagnostic.Summary;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.energy.Support;
import dev.kelvin.sample.Posterior;
import dev.kelvin.sample.PosteriorSampler;
import dev.kelvin.tensor.Backend;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * The sampler's default settings on posteriors whose means and standard deviations are known exactly, or by a long run of
 * Stan: how many Monte Carlo errors they are off by, R-hat, effective draws a second of
 * processor time with the warm-up.
 *
 * <p>{@code Posteriors [names...]}; without names, all of them.
 */
public final class Posteriors {
    private static final int SEEDS = 3;

    /** A density with what is known of it. */
    private record Problem(String name, PosteriorSampler sampler, double[] means, double[] sds) {}

    private Posteriors() {}

    /** Runs the problems that are named, or all. */
    public static void main(String[] arguments) {
        Backend.threads(1);
        List<String> names = Arrays.asList(arguments);
        try (Scope scope = Scope.open()) {
            for (Problem problem : problems()) {
                if (names.isEmpty() || names.contains(problem.name)) {
                    measure(problem);
                }
            }
        }
    }

    private static void measure(Problem problem) {
        for (PosteriorSampler.Method method : PosteriorSampler.Method.values()) {
            for (int seed = 0; seed < SEEDS; seed++) {
                long began = processorTime();
                Posterior posterior = problem.sampler.withMethod(method).run(seed);
                double seconds = (processorTime() - began) / 1e9;
                print(problem.name + " " + method, seed, posterior, problem.means, problem.sds, seconds);
            }
        }
    }

    /** Of this thread, which does all the work: a busy machine does not change it. */
    private static long processorTime() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private static void print(
            String name, int seed, Posterior posterior, double[] means, double[] sds, double seconds) {
        Summary summary = posterior.summary();
        double mean = 0;
        double sd = 0;
        for (int i = 0; i < means.length; i++) {
            Summary.Row row = summary.rows().get(i);
            mean = Math.max(mean, Math.abs(row.mean() - means[i]) / row.mcse());
            sd = Math.max(sd, Math.abs(row.sd() - sds[i]) / row.mcseSd());
        }
        System.out.printf(
                Locale.ROOT,
                "%-24s seed %d: mean off by %.2f, sd by %.2f errors, R-hat %.4f, ESS %6.0f, %.1f s, %.0f ESS/s, acceptance"
                        + " %.2f, step %.3g, leaps %.1f, thin %d, divergences %d%n",
                name,
                seed,
                mean,
                sd,
                summary.worstRhat(),
                summary.leastEss(),
                seconds,
                summary.leastEss() / seconds,
                posterior.acceptance(),
                posterior.kernel().stepSize(),
                posterior.kernel().meanLeaps(),
                posterior.thin(),
                posterior.divergences());
    }

    private static List<Problem> problems() {
        return List.of(
                gaussian("gaussian axis", false),
                gaussian("gaussian rotated", true),
                eightSchools(),
                logistic(),
                autoregression(),
                scales(),
                student(),
                new Problem(
                        "weak",
                        PosteriorSampler.of(Posteriors::weak, 3),
                        new double[] {1.499925, 1.499925, 0},
                        new double[] {7.07124458, 7.07124458, 10}),
                funnel(),
                new Problem(
                        "banana", PosteriorSampler.of(Posteriors::banana, 2), new double[] {0, 1}, new double[] {1, 1.5
                        }));
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

    /** Student's t with 5 degrees of freedom, 10 independent coordinates; sd √(5/3). */
    private static Problem student() {
        double[] sds = new double[10];
        Arrays.fill(sds, Math.sqrt(5.0 / 3));
        return new Problem(
                "student t",
                PosteriorSampler.of(
                        x -> x.square().over(5).plus(1).log().sum(1L).times(-3), 10),
                new double[10],
                sds);
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
        return new Problem("funnel", PosteriorSampler.of(Posteriors::funnel, 10), means, sds);
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
}

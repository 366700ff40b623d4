package dev.kelvin.bench;

import dev.kelvin.diagnostic.Summary;
import dev.kelvin.sample.posterior.Posterior;
import dev.kelvin.sample.posterior.PosteriorSampler;
import dev.kelvin.tensor.Backend;
import dev.kelvin.tensor.Scope;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * The sampler's default settings on posteriors whose means and standard deviations are known exactly, or by a long run of
 * Stan: how many Monte Carlo errors they are off by, R-hat, effective draws a second of processor time with the warm-up,
 * and what the sampler warns of. The last line counts z-scores: of normal ones 4.6 % lie beyond 2 and 0.27 % beyond 3.
 *
 * <p>{@code Posteriors [names...] [seeds]}; without names, all of them, with 3 seeds.
 */
public final class Posteriors {
    private static final int SEEDS = 3;

    /** A density with what is known of it. */
    record Problem(String name, PosteriorSampler sampler, double[] means, double[] sds) {}

    private static long checked;
    private static final long[] BEYOND = new long[5];

    private Posteriors() {}

    /** Runs the problems that are named, or all. */
    public static void main(String[] arguments) {
        Backend.threads(1);
        List<String> names =
                Arrays.stream(arguments).filter(name -> !name.matches("\\d+")).toList();
        int seeds = Arrays.stream(arguments)
                .filter(name -> name.matches("\\d+"))
                .mapToInt(Integer::parseInt)
                .findFirst()
                .orElse(SEEDS);
        try (Scope scope = Scope.open()) {
            Stream.of(KnownPosteriors.all(), DataPosteriors.all(), HarderPosteriors.all())
                    .flatMap(List::stream)
                    .filter(problem -> names.isEmpty() || names.contains(problem.name))
                    .forEach(problem -> measure(problem, seeds));
        }
        System.out.printf(
                "%d z-scores, beyond 1, 2, 3, 4: %d, %d, %d, %d%n",
                checked, BEYOND[1], BEYOND[2], BEYOND[3], BEYOND[4]);
    }

    private static void measure(Problem problem, int seeds) {
        for (PosteriorSampler.Method method : PosteriorSampler.Method.values()) {
            for (int seed = 0; seed < seeds; seed++) {
                long began = processorTime();
                Posterior posterior = problem.sampler.withMethod(method).run(seed);
                double seconds = (processorTime() - began) / 1e9;
                print(problem, method, seed, posterior, seconds);
            }
        }
    }

    /** Of this thread, which does all the work: a busy machine does not change it. */
    private static long processorTime() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private static double counted(double z) {
        checked++;
        for (int i = 1; i < BEYOND.length; i++) {
            BEYOND[i] += z > i ? 1 : 0;
        }
        return z;
    }

    private static void print(
            Problem problem, PosteriorSampler.Method method, int seed, Posterior posterior, double seconds) {
        Summary summary = posterior.summary();
        double mean = 0;
        double sd = 0;
        for (int i = 0; i < problem.means.length; i++) {
            Summary.Row row = summary.rows().get(i);
            mean = Math.max(mean, counted(Math.abs(row.mean() - problem.means[i]) / row.mcse()));
            sd = Math.max(sd, counted(Math.abs(row.sd() - problem.sds[i]) / row.mcseSd()));
        }
        System.out.printf(
                Locale.ROOT,
                "%-24s seed %d: mean off by %.2f, sd by %.2f errors, R-hat %.4f, ESS %6.0f, %.1f s, %.0f ESS/s, acceptance"
                        + " %.2f, step %.3g, leaps %.1f, thin %d, divergences %d%s%n",
                problem.name + " " + method,
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
                posterior.divergences(),
                posterior.warnings().isEmpty()
                        ? ""
                        : ", " + posterior.warnings().size() + " warnings");
    }
}

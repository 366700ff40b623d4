package dev.kelvin.sample.anneal;

import dev.kelvin.energy.Likelihood;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.energy.PowerPosterior;
import dev.kelvin.math.CholeskyFactor;
import dev.kelvin.sample.Ladder;
import dev.kelvin.sample.Mala;
import dev.kelvin.sample.StepSized;
import dev.kelvin.sample.chain.ChainRun;
import dev.kelvin.sample.warmup.WarmUp;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * log p(x) = log ∫ p(x|z) p(z) dz of samples, by chains that are annealed from the prior, t = 0, to the posterior, t = 1, in two
 * ways at once.
 *
 * <pre>
 * thermodynamic integration  Σ wᵢEᵢ, Eᵢ = mean log p(x|z) under p(z|x, tᵢ) ∝ p(x|z)^tᵢ p(z), w the trapezoid's weights
 * corrected                  the same + ½ Σ [KL(pᵢ₋₁‖pᵢ) − KL(pᵢ‖pᵢ₋₁)], of Gaussians with the chains' moments
 * importance                 log mean exp Σ (tᵢ − tᵢ₋₁) log p(x|zᵢ₋₁), annealed importance sampling
 * </pre>
 *
 * <p>The prior need not be normalised. Chains move by {@link Mala} at a step that is found for each temperature by others.
 *
 * <p>Sources: Friel and Pettitt 2008; Calderhead and Girolami 2009; Neal 2001; see {@link Ladder}.
 *
 * @param each what is known of each sample
 * @param levels the mean log p(x|z) of all samples at each temperature, from t = 0: the integrand
 */
public record MarginalLikelihood(List<Estimate> each, List<Level> levels) {
    private static final double ACCEPTANCE = 0.574;
    private static final int DRAWS_EACH = 100; // for each coordinate: neighbouring draws of a chain are alike
    private static final double SETTLING = 0.25; // of the steps at a temperature, before they count

    public MarginalLikelihood {
        each = List.copyOf(each);
        levels = List.copyOf(levels);
    }

    /** E_t, the mean of log p(x|z) under p(z|x, t). */
    public record Level(double t, double mean) {}

    /**
     * One sample's log p(x).
     *
     * @param error the standard error of {@code integrated} and {@code corrected}, by how the chains differ
     * @param corrected NaN where there are too few draws for a covariance
     */
    public record Estimate(double integrated, double error, double corrected, double importance) {}

    /**
     * How the temperatures are placed and how long chains run at each.
     *
     * @param chains for each sample
     * @param steps at each temperature
     */
    public record Settings(Ladder ladder, int chains, int steps, double stepSize) {
        /** The fewest steps whose draws are enough for a covariance of z of this size, and so for the correction. */
        public static int stepsForCorrection(int chains, int size) {
            int steps = 1;
            while (chains * draws(steps) < DRAWS_EACH * size) {
                steps++;
            }
            return steps;
        }
    }

    /** Draws of a chain at a temperature, after it has settled. */
    private static int draws(int steps) {
        return steps - settling(steps);
    }

    private static int settling(int steps) {
        return (int) Math.ceil(SETTLING * steps);
    }

    /**
     * Of the samples of a likelihood.
     *
     * @param start draws of the prior, {@code chains} times as many as there are samples: row r is for sample r mod n
     * @param listener receives the number of temperatures that are done
     */
    public static MarginalLikelihood of(
            Key key, LogDensity prior, Likelihood likelihood, Tensor start, Settings settings, IntConsumer listener) {
        int n = (int) likelihood.x().size(0);
        int rows = n * settings.chains;
        long[] samples = LongStream.range(0, rows).map(i -> i % n).toArray();
        double[] t = settings.ladder.t();
        List<Rung> rungs = new ArrayList<>();
        double[] logWeights = new double[rows];
        try (Scope scope = Scope.open()) {
            Likelihood all = likelihood.rows(samples);
            Tensor z = start;
            StepSized<?> kernel = Mala.of(settings.stepSize);
            for (int i = 0; i < t.length; i++) {
                try (Scope inner = Scope.open()) {
                    if (i > 0) {
                        double step = t[i] - t[i - 1];
                        double[] values = all.at(z).toDoubles();
                        Arrays.setAll(logWeights, r -> logWeights[r] + step * values[r]);
                    }
                    Tensor level = Tensors.full(t[i], DType.DOUBLE, z.device(), rows);
                    LogDensity density = new PowerPosterior(prior, all, level);
                    Key[] keys = key.child(i).split(2);
                    kernel = WarmUp.run(keys[0], kernel, density, z, settings.steps, ACCEPTANCE)
                            .kernel();
                    Rung rung = new Rung(n, settings.chains, (int) z.size(1));
                    int settled = settling(settings.steps);
                    z = inner.keep(ChainRun.run(keys[1], kernel, density, z, settings.steps, (step, state) -> {
                                if (step > settled) {
                                    rung.add(all.at(state.x()), state.x());
                                }
                            })
                            .x());
                    rungs.add(rung);
                    listener.accept(i + 1);
                }
            }
        }
        return new MarginalLikelihood(
                IntStream.range(0, n)
                        .mapToObj(x -> estimate(x, settings, rungs, logWeights, n))
                        .toList(),
                IntStream.range(0, t.length)
                        .mapToObj(i -> new Level(t[i], rungs.get(i).mean()))
                        .toList());
    }

    private static Estimate estimate(int x, Settings settings, List<Rung> rungs, double[] logWeights, int n) {
        double[] byChain = new double[settings.chains];
        double[] log = new double[settings.chains];
        for (int m = 0; m < settings.chains; m++) {
            int row = m * n + x;
            byChain[m] = settings.ladder.integral(
                    rungs.stream().mapToDouble(rung -> rung.mean(row)).toArray());
            log[m] = logWeights[row];
        }
        double integrated = Arrays.stream(byChain).average().orElse(Double.NaN);
        double error = AnnealedImportance.standardError(byChain);
        double correction = 0;
        for (int i = 1; i < rungs.size(); i++) {
            correction += Rung.difference(rungs.get(i - 1), rungs.get(i), x) / 2;
        }
        return new Estimate(integrated, error, integrated + correction, new AnnealedImportance(log).estimate());
    }

    /** The mean over the samples of what is known of each. */
    public double mean(ToDoubleFunction<Estimate> of) {
        return each.stream().mapToDouble(of).average().orElse(Double.NaN);
    }

    /** The standard error of the mean over the samples, by how they differ. */
    public double error(ToDoubleFunction<Estimate> of) {
        return AnnealedImportance.standardError(each.stream().mapToDouble(of).toArray());
    }

    /** What is kept of a temperature: each chain's mean log-likelihood, and each sample's moments of z. */
    private static final class Rung {
        private final int n;
        private final int chains;
        private final int size;
        private final double[] sums;
        private final double[] means; // [n, size]: sums of z, and [n, size, size] those of zzᵀ
        private final double[] products;
        private int count;

        Rung(int n, int chains, int size) {
            this.n = n;
            this.chains = chains;
            this.size = size;
            sums = new double[n * chains];
            means = new double[n * size];
            products = new double[n * size * size];
        }

        void add(Tensor likelihoods, Tensor z) {
            try (Scope scope = Scope.open()) {
                double[] values = likelihoods.toDoubles();
                Arrays.setAll(sums, r -> sums[r] + values[r]);
                Tensor perSample = z.to(DType.DOUBLE).reshape(chains, n, size).permute(1, 2, 0); // [n, size, chains]
                double[] mean = perSample.sum(2L).toDoubles();
                Arrays.setAll(means, i -> means[i] + mean[i]);
                double[] product = perSample.matmul(perSample.transpose(1, 2)).toDoubles();
                Arrays.setAll(products, i -> products[i] + product[i]);
                count++;
            }
        }

        double mean(int row) {
            return sums[row] / count;
        }

        /** Of all chains of all samples. */
        double mean() {
            return Arrays.stream(sums).average().orElseThrow() / count;
        }

        private int draws() {
            return count * chains;
        }

        private double mean(int x, int i) {
            return means[x * size + i] / draws();
        }

        private double[][] covariance(int x) {
            double[][] covariance = new double[size][size];
            for (int i = 0; i < size; i++) {
                for (int j = 0; j < size; j++) {
                    double product = products[(x * size + i) * size + j] / draws();
                    covariance[i][j] = product - mean(x, i) * mean(x, j);
                }
            }
            return covariance;
        }

        /** KL(a‖b) − KL(b‖a). */
        static double difference(Rung a, Rung b, int x) {
            if (a.draws() < DRAWS_EACH * a.size) {
                return Double.NaN;
            }
            try {
                CholeskyFactor first = CholeskyFactor.of(a.covariance(x));
                CholeskyFactor second = CholeskyFactor.of(b.covariance(x));
                double[] apart = new double[a.size];
                Arrays.setAll(apart, i -> a.mean(x, i) - b.mean(x, i));
                return 0.5
                        * (second.traceOfQuotient(first)
                                - first.traceOfQuotient(second)
                                + 2 * (second.logDeterminant() - first.logDeterminant())
                                + second.quadratic(apart)
                                - first.quadratic(apart));
            } catch (ArithmeticException e) {
                return Double.NaN;
            }
        }
    }
}

package dev.kelvin.sample.anneal;

import dev.kelvin.energy.LogDensity;
import dev.kelvin.part.Check;
import dev.kelvin.sample.Hmc;
import dev.kelvin.sample.Kernel;
import dev.kelvin.sample.Mala;
import dev.kelvin.sample.StepSized;
import dev.kelvin.sample.chain.ChainRun;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/**
 * The ratio of two normalisers, log Z_n − log Z₀, by annealed importance sampling: forwards from exact draws of the
 * first density of a path, and backwards from draws of the last.
 *
 * <pre>
 * forwards  log w = Σᵢ fᵢ(xᵢ₋₁) − fᵢ₋₁(xᵢ₋₁),  xᵢ from xᵢ₋₁ by a kernel that leaves exp fᵢ as it is
 * backwards log v = Σᵢ fᵢ₋₁(xᵢ₋₁) − fᵢ(xᵢ₋₁),  xᵢ₋₁ from xᵢ by the same kernel
 * E log w ≤ log E w = log Z_n − log Z₀ = −log E v ≤ −E log v
 * </pre>
 *
 * <p>The first inequality always holds; the last needs backward chains that start in the last density, and fails without
 * notice where they don't. The kernel must be exact and reversible: {@link Mala} or {@link Hmc} at temperature 1.
 *
 * <p>Sources: Neal 2001; Grosse, Ghahramani and Adams 2015.
 */
public record AnnealedImportance(double[] logWeights) {
    /** Three standard errors: the mean of the log-weights is that far off once in 370 times. */
    private static final double ERRORS = 3;

    /** From x, exact draws of the path's first density: what is known of log Z_i − log Z₀ at every density i. */
    public static List<AnnealedImportance> along(
            Key key, List<LogDensity> path, IntFunction<StepSized<?>> kernels, Tensor x, int steps) {
        List<AnnealedImportance> all = new ArrayList<>();
        all.add(new AnnealedImportance(new double[(int) x.size(0)]));
        run(key, path, kernels, x, steps, true, log -> all.add(new AnnealedImportance(log.toDoubles())));
        return all;
    }

    /** From x, draws of the path's last density, with a kernel for each density of the path; estimates log Z₀ − log Z_n. */
    public static AnnealedImportance backwards(
            Key key, List<LogDensity> path, IntFunction<StepSized<?>> kernels, Tensor x, int steps) {
        return new AnnealedImportance(run(key, path, kernels, x, steps, false, log -> {}));
    }

    private static double[] run(
            Key key,
            List<LogDensity> path,
            IntFunction<StepSized<?>> kernels,
            Tensor x,
            int steps,
            boolean forwards,
            Consumer<Tensor> each) {
        Check.atLeast("steps", steps, 1);
        for (int i = 1; i < path.size(); i++) {
            Kernel<?> kernel = kernels.apply(i);
            Check.require(
                    kernel.traits().adjusted() && kernel.traits().temperature().orElse(0) == 1,
                    "kernel",
                    "must have an accept/reject step and sample at temperature 1, as mala and hmc do; this is "
                            + kernel.words());
        }
        try (Scope scope = Scope.open()) {
            Tensor log = Tensors.zeros(DType.DOUBLE, x.device(), x.size(0));
            Tensor at = x;
            for (int k = 1; k < path.size(); k++) {
                int i = forwards ? k : path.size() - k;
                if (forwards) {
                    weigh(log, path.get(i), path.get(i - 1), at);
                }
                Tensor next = ChainRun.run(key.child(k), kernels.apply(i), path.get(i), at, steps)
                        .x();
                if (!forwards) {
                    weigh(log, path.get(i - 1), path.get(i), next);
                }
                each.accept(log);
                if (at != x) {
                    at.close();
                }
                at = next;
            }
            return log.toDoubles();
        }
    }

    private static void weigh(Tensor log, LogDensity to, LogDensity from, Tensor x) {
        try (Scope scope = Scope.open()) {
            log.addInPlace(to.at(x).to(DType.DOUBLE)).addInPlace(from.at(x).to(DType.DOUBLE), -1);
        }
    }

    /** log of the mean weight: the estimate itself, which the largest weights decide. */
    public double estimate() {
        double largest = Arrays.stream(logWeights).max().orElse(Double.NaN);
        double sum = Arrays.stream(logWeights).map(w -> Math.exp(w - largest)).sum();
        return largest + Math.log(sum / logWeights.length);
    }

    /** The mean log-weight less three of its standard errors: below the true value 999 times of 1000. */
    public double lowerBound() {
        return Arrays.stream(logWeights).average().orElse(Double.NaN) - ERRORS * standardError(logWeights);
    }

    /** The standard error of the mean of these values. */
    static double standardError(double... values) {
        double mean = Arrays.stream(values).average().orElse(Double.NaN);
        double squares =
                Arrays.stream(values).map(each -> (each - mean) * (each - mean)).sum();
        return Math.sqrt(squares / (values.length - 1.0) / values.length);
    }

    /** (Σw)²/Σw²: how many equal weights these are worth. */
    public double effectiveSampleSize() {
        double largest = Arrays.stream(logWeights).max().orElse(Double.NaN);
        double sum = 0;
        double squares = 0;
        for (double log : logWeights) {
            double weight = Math.exp(log - largest);
            sum += weight;
            squares += weight * weight;
        }
        return sum * sum / squares;
    }
}

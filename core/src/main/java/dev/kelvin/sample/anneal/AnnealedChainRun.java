package dev.kelvin.sample.anneal;

import dev.kelvin.energy.LogDensity;
import dev.kelvin.part.Check;
import dev.kelvin.sample.Kernel;
import dev.kelvin.sample.StepSized;
import dev.kelvin.sample.chain.ChainRun;
import dev.kelvin.sample.warmup.WarmUp;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;

/**
 * Chains led along a path of densities, with some steps on each, from the easy one to the one that is wanted. They arrive
 * in modes in the right proportion far more often than chains that start on the last density.
 *
 * @param x where the chains arrived
 * @param acceptance the mean acceptance on each density; NaN where the kernel has no accept/reject step
 * @param stepSizes the step size on each density, where it followed them; otherwise NaN
 */
public record AnnealedChainRun(Tensor x, double[] acceptance, double[] stepSizes) {
    /** Receives the chains' positions when they are done with the i-th density. */
    @FunctionalInterface
    public interface Observer {
        /** Called when the chains leave a density. */
        void at(int density, Tensor x);
    }

    /** How fast a step size follows its density: log h moves by so much for each unit of acceptance too many. */
    private static final double GAIN = 2;

    /** Runs {@code steps} steps on each density of the path but the first, where the chains start. */
    public static AnnealedChainRun run(
            Key key,
            List<LogDensity> path,
            IntFunction<? extends Kernel<?>> kernels,
            Tensor x,
            int steps,
            Observer observer) {
        return run(key, path, kernels, x, steps, observer, unknown(path), unknown(path));
    }

    /**
     * Runs one kernel whose step size follows the densities: found on the second, then moved towards the
     * acceptance after each. On a path that changes slowly the acceptance so stays near what was asked for, whatever step
     * the kernel came with.
     */
    public static AnnealedChainRun adapting(
            Key key,
            List<LogDensity> path,
            StepSized<?> kernel,
            double acceptance,
            Tensor x,
            int steps,
            Observer observer) {
        double[] stepSizes = unknown(path);
        double[] logStep = {Math.log(WarmUp.find(key.child(0), kernel, path.get(1), x, acceptance))};
        double[] found = unknown(path);
        IntFunction<Kernel<?>> following = i -> {
            if (!Double.isNaN(found[i - 1])) {
                logStep[0] += GAIN * (found[i - 1] - acceptance);
            }
            stepSizes[i] = Math.exp(logStep[0]);
            return kernel.withStepSize(stepSizes[i]);
        };
        return run(key, path, following, x, steps, observer, found, stepSizes);
    }

    private static AnnealedChainRun run(
            Key key,
            List<LogDensity> path,
            IntFunction<? extends Kernel<?>> kernels,
            Tensor x,
            int steps,
            Observer observer,
            double[] acceptance,
            double[] stepSizes) {
        Check.atLeast("steps", steps, 1);
        try (Scope scope = Scope.open()) {
            Tensor at = x;
            for (int i = 1; i < path.size(); i++) {
                ChainRun walk = ChainRun.inHalves(key.child(i), kernels.apply(i), path.get(i), at, steps);
                if (at != x) {
                    at.close();
                }
                at = walk.x();
                acceptance[i] = walk.acceptance().orElse(Double.NaN);
                observer.at(i, at);
            }
            return new AnnealedChainRun(scope.keep(at), acceptance, stepSizes);
        }
    }

    private static double[] unknown(List<LogDensity> path) {
        double[] numbers = new double[path.size()];
        Arrays.fill(numbers, Double.NaN);
        return numbers;
    }
}

package dev.kelvin.sample;

import dev.kelvin.Check;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.util.Arrays;
import java.util.function.IntFunction;

/**
 * Chains led along a path of densities: so many steps on each, from the easy one to the one that is wanted. They arrive
 * in modes in the right proportion far more often than chains that start on the last density.
 *
 * @param x where the chains arrived
 * @param acceptance the mean acceptance on each density; NaN where the kernel accepts without asking
 */
public record AnnealedWalk(Tensor x, double[] acceptance) {
    /** Is told where the chains are when they are done with the i-th density. */
    @FunctionalInterface
    public interface Observer {
        void at(int density, Tensor x);
    }

    /** Runs {@code steps} steps on each density of the path but the first, where the chains start. */
    public static AnnealedWalk run(
            Key key, Path path, IntFunction<? extends Kernel<?>> kernels, Tensor x, int steps, Observer observer) {
        Check.atLeast("steps", steps, 1);
        double[] acceptance = new double[path.size()];
        Arrays.fill(acceptance, Double.NaN);
        try (Scope scope = Scope.open()) {
            Tensor at = x;
            for (int i = 1; i < path.size(); i++) {
                LogDensity density = path.at(i);
                Walk walk = Walk.run(key.child(i), kernels.apply(i), density, at, steps);
                if (at != x) {
                    at.close();
                }
                at = walk.x();
                acceptance[i] = walk.acceptance().orElse(Double.NaN);
                observer.at(i, at);
            }
            return new AnnealedWalk(scope.keep(at), acceptance);
        }
    }
}

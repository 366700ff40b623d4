package dev.kelvin.diagnostic;

import dev.kelvin.tensor.Key;
import java.util.Arrays;
import java.util.function.DoubleUnaryOperator;
import java.util.random.RandomGenerator;

/** ChainDraws whose diagnostics are known. */
final class ChainCases {
    private ChainCases() {}

    /** x' = φx + √(1 − φ²) ξ, begun in its stationary N(0, 1): ρ_t = φᵗ, ESS = S(1 − φ)/(1 + φ). */
    static double[][] autoregressive(Key key, double phi, int chains, int draws) {
        double[][] x = new double[chains][draws];
        double noise = Math.sqrt(1 - phi * phi);
        for (int c = 0; c < chains; c++) {
            RandomGenerator random = key.child(c).stream();
            x[c][0] = random.nextGaussian();
            for (int t = 1; t < draws; t++) {
                x[c][t] = phi * x[c][t - 1] + noise * random.nextGaussian();
            }
        }
        return x;
    }

    static double[][] independent(Key key, int chains, int draws) {
        return autoregressive(key, 0, chains, draws);
    }

    /** The chains with one of them changed. */
    static double[][] changed(double[][] chains, int chain, DoubleUnaryOperator change) {
        double[][] copy = chains.clone();
        copy[chain] = Arrays.stream(chains[chain]).map(change).toArray();
        return copy;
    }

    /** All of the chains changed. */
    static double[][] changed(double[][] chains, DoubleUnaryOperator change) {
        double[][] copy = chains;
        for (int c = 0; c < chains.length; c++) {
            copy = changed(copy, c, change);
        }
        return copy;
    }
}

package dev.kelvin.diagnostic;

import dev.kelvin.math.InverseNormal;
import dev.kelvin.part.Check;
import java.util.Arrays;
import java.util.function.DoubleUnaryOperator;

/** Draws of one scalar quantity, [chain][draw]: what the diagnostics of chains share. */
public final class ChainDraws {
    private static final double BLOM = 3.0 / 8;

    private ChainDraws() {}

    /** Refuses too few chains or draws, and chains of unequal lengths. */
    public static void check(double[][] chains, int leastChains, int leastDraws) {
        Check.atLeast("chains", chains.length, leastChains);
        for (int i = 1; i < chains.length; i++) {
            if (chains[i].length != chains[0].length) {
                throw new IllegalArgumentException("chains must be of one length; chain 0 has " + chains[0].length
                        + " draws, chain " + i + " has " + chains[i].length);
            }
        }
        Check.atLeast("draws", chains[0].length, leastDraws);
    }

    /** Whether every draw of every chain is a finite number. */
    public static boolean finite(double[][] chains) {
        return Arrays.stream(chains).flatMapToDouble(Arrays::stream).allMatch(Double::isFinite);
    }

    /** Each chain's first half and its second; of an odd number of draws the middle one is left out. */
    public static double[][] halves(double[][] chains) {
        int draws = chains[0].length;
        int half = draws / 2;
        double[][] halves = new double[2 * chains.length][];
        for (int i = 0; i < chains.length; i++) {
            halves[2 * i] = Arrays.copyOf(chains[i], half);
            halves[2 * i + 1] = Arrays.copyOfRange(chains[i], draws - half, draws);
        }
        return halves;
    }

    /** All draws in one array, chain after chain. */
    public static double[] pooled(double[][] chains) {
        return Arrays.stream(chains).flatMapToDouble(Arrays::stream).toArray();
    }

    /** Each draw's rank among all draws, from 1; draws that are equal have their mean rank. */
    public static double[][] ranks(double[][] chains) {
        double[] sorted = pooled(chains);
        Arrays.sort(sorted);
        double[] ranks = new double[sorted.length];
        for (int first = 0, next = 0; next < sorted.length; first = next) {
            while (next < sorted.length
                    && (sorted[next] == sorted[first] || Double.compare(sorted[next], sorted[first]) == 0)) {
                next++;
            }
            Arrays.fill(ranks, first, next, (first + 1 + next) / 2.0);
        }
        return each(chains, draw -> ranks[Arrays.binarySearch(sorted, draw)]);
    }

    /** A function of every draw. */
    static double[][] each(double[][] chains, DoubleUnaryOperator function) {
        return Arrays.stream(chains)
                .map(chain -> Arrays.stream(chain).map(function).toArray())
                .toArray(double[][]::new);
    }

    /**
     * Draws replaced by the Gaussian quantiles of their ranks among all S draws of all chains, z = Φ⁻¹((r − 3/8)/(S + 1/4)),
     * equal draws having the mean of their ranks: every quantity becomes nearly Gaussian, also one without a variance. The
     * chains must be finite. Source: Vehtari et al. 2021, eq. 14; the 3/8 are Blom's.
     */
    static double[][] rankNormal(double[][] chains) {
        double all = chains.length * (double) chains[0].length + 1 - 2 * BLOM;
        return each(ranks(chains), rank -> InverseNormal.of((rank - BLOM) / all));
    }

    /** Summed as distances from the first: exact where all values are equal, so that then the variance is 0. */
    public static double mean(double[] values) {
        double sum = 0;
        for (double value : values) {
            sum += value - values[0];
        }
        return values[0] + sum / values.length;
    }

    /** With n − 1 below. */
    public static double variance(double[] values) {
        double mean = mean(values);
        double squares = 0;
        for (double value : values) {
            squares += (value - mean) * (value - mean);
        }
        return squares / (values.length - 1);
    }

    /** W: the mean of the chains' variances. */
    public static double within(double[][] chains) {
        return Arrays.stream(chains).mapToDouble(ChainDraws::variance).sum() / chains.length;
    }

    /** var⁺ = (n − 1)/n W + B/n: too large while the chains disagree, unbiased once they are in the target. */
    public static double pooledVariance(double[][] chains) {
        double n = chains[0].length;
        double[] means = Arrays.stream(chains).mapToDouble(ChainDraws::mean).toArray();
        return (n - 1) / n * within(chains) + (means.length == 1 ? 0 : variance(means));
    }

    /** The value below which a share p of the sorted values lies, straight between neighbours (R's type 7). */
    public static double quantile(double[] sorted, double p) {
        double at = (sorted.length - 1) * p;
        int below = (int) at;
        int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (at - below) * (sorted[above] - sorted[below]);
    }
}

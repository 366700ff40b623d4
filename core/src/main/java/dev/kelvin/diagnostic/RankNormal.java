package dev.kelvin.diagnostic;

import dev.kelvin.math.InverseNormal;
import java.util.Arrays;

/**
 * Draws replaced by the Gaussian quantiles of their ranks among all S draws of all chains,
 *
 * <pre>z = Φ⁻¹((r − 3/8)/(S + 1/4)),</pre>
 *
 * equal draws having the mean of their ranks: every quantity becomes nearly Gaussian, also one without a variance.
 * Source: Vehtari et al. 2021, eq. 14; the 3/8 are Blom's.
 */
final class RankNormal {
    private static final double BLOM = 3.0 / 8;

    private RankNormal() {}

    /** The chains must be finite. */
    static double[][] of(double[][] chains) {
        double[] sorted = ChainDraws.pooled(chains);
        Arrays.sort(sorted);
        double[] scores = scores(sorted);
        return ChainDraws.each(chains, draw -> scores[Arrays.binarySearch(sorted, draw)]);
    }

    /** z of each of the sorted values. */
    private static double[] scores(double[] sorted) {
        double[] scores = new double[sorted.length];
        int next = 0;
        while (next < sorted.length) {
            int first = next;
            while (next < sorted.length && sorted[next] == sorted[first]) {
                next++;
            }
            double rank = (first + 1 + next) / 2.0;
            double z = InverseNormal.of((rank - BLOM) / (sorted.length + 1 - 2 * BLOM));
            Arrays.fill(scores, first, next, z);
        }
        return scores;
    }
}

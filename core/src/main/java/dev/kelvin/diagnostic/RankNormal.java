package dev.kelvin.diagnostic;

import dev.kelvin.math.InverseNormal;

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
        double all = chains.length * (double) chains[0].length + 1 - 2 * BLOM;
        return ChainDraws.each(ChainDraws.ranks(chains), rank -> InverseNormal.of((rank - BLOM) / all));
    }
}

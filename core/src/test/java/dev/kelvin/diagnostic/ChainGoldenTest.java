package dev.kelvin.diagnostic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.math.InverseNormal;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * To 1e-12 relative. A and its values are those of SYSTEMS.md, section 8. The longer chains' are by NumPy 2.4 and SciPy
 * 1.17: R's posterior package written out with direct sums for autocovariances, rankdata, ndtri and numpy.quantile.
 */
class ChainGoldenTest {
    private static final double[][] A = {
        {1, 3, 2, 5, 4, 6, 3, 2},
        {2, 4, 3, 6, 5, 7, 8, 6},
        {0, 1, 3, 2, 4, 3, 5, 4}
    };

    private static Offset<Double> rounding(double value) {
        return within(1e-12 * Math.abs(value));
    }

    private static void same(double found, double golden) {
        assertThat(found).isCloseTo(golden, rounding(golden));
    }

    @Test
    void rhat() {
        same(Rhat.classic(A), 1.1662061706287286);
        same(Rhat.split(A), 1.4273243856813995);
        Rhat.RankNormalised ranks = Rhat.rankNormalised(A);
        same(ranks.max(), 1.4193535030937976);
        same(ranks.bulk(), 1.4193535030937976);
        same(ranks.folded(), 1.153009810933849);
    }

    @Test
    void effectiveSampleSize() {
        same(EffectiveSampleSize.plain(A), 7.672727272727272);
    }

    /** 4 chains of 51: v ← ¾v + s − 50 with s ← (37 s + 11) mod 101 from s = 7c + 3, v = 0. */
    private static double[][] longer() {
        double[][] chains = new double[4][51];
        for (int c = 0; c < 4; c++) {
            int s = 7 * c + 3;
            double v = 0;
            for (int t = 0; t < 51; t++) {
                s = (37 * s + 11) % 101;
                v = 0.75 * v + (s - 50);
                chains[c][t] = v;
            }
        }
        return chains;
    }

    @Test
    void longerChains() {
        double[][] x = longer();
        assertThat(x[0]).startsWith(-29, 9.25, 35.9375);
        same(Rhat.classic(x), 1.2587093038590444);
        same(Rhat.split(x), 1.2320381484066012);
        Rhat.RankNormalised ranks = Rhat.rankNormalised(x);
        same(ranks.bulk(), 1.2307847782634063);
        same(ranks.folded(), 0.9959661949790672);
        assertThat(ranks.max()).isEqualTo(ranks.bulk());
        same(EffectiveSampleSize.plain(x), 8.437083134161009);
        same(EffectiveSampleSize.mean(x), 15.026963408855714);
        same(EffectiveSampleSize.bulk(x), 15.138452049023984);
        same(EffectiveSampleSize.quantile(x, 0.05), 56.65030170554115);
        same(EffectiveSampleSize.quantile(x, 0.5), 31.149663221455906);
        same(EffectiveSampleSize.quantile(x, 0.95), 243.7177920629022);
        same(EffectiveSampleSize.tail(x), 56.65030170554115);
        same(MonteCarloError.ofMean(x), 11.998340499561895);
    }

    /** By mpmath 1.3 with 40 digits, at the doubles next to these probabilities. */
    @ParameterizedTest
    @CsvSource({
        "0.5, 0",
        "0.6, 0.25334710313579974132",
        "0.925, 1.4395314709384562291",
        "0.95, 1.6448536269514722843",
        "0.975, 1.9599639845400538556",
        "0.05, -1.644853626951472688",
        "0.001, -3.0902323061678135354",
        "0.999, 3.0902323061678132778",
        "1e-10, -6.3613409024040561991",
        "1e-12, -7.0344838253011319326",
        "1e-100, -21.273453560965324294",
        "1e-300, -37.047096299361199237"
    })
    void inverseNormal(double p, double golden) {
        // Horner's 16 operations, square root and logarithm: some units in the last place
        assertThat(InverseNormal.of(p)).isCloseTo(golden, within(1e-15 * Math.abs(golden)));
    }

    @Test
    void inverseNormalAtTheEnds() {
        assertThat(InverseNormal.of(0)).isEqualTo(Double.NEGATIVE_INFINITY);
        assertThat(InverseNormal.of(1)).isEqualTo(Double.POSITIVE_INFINITY);
        assertThat(InverseNormal.of(-0.1)).isNaN();
        assertThat(InverseNormal.of(1.1)).isNaN();
        assertThat(InverseNormal.of(Double.NaN)).isNaN();
    }
}

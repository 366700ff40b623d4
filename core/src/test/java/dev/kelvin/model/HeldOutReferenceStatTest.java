package dev.kelvin.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kelvin.energy.analytic.GaussianMixture;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import java.util.Arrays;
import java.util.Optional;
import org.apache.commons.statistics.inference.KolmogorovSmirnovTest;
import org.junit.jupiter.api.Test;

/**
 * Quantiles of fresh rows of the data are uniform: their values of f against held-out ones', a Kolmogorov-Smirnov test of two
 * samples. Alpha: 1e-3, and the keys are fixed.
 */
class HeldOutReferenceStatTest {
    private static final double ALPHA = 1e-3;
    private static final GaussianMixture ROWS =
            GaussianMixture.isotropic(0.5, new double[][] {{0, 0, 0}, {3, 1, -2}}, 0.7, 0.3);
    private static final GaussianMixture OTHERS =
            GaussianMixture.isotropic(0.6, new double[][] {{0, 0, 0}, {3, 1, -2}}, 0.7, 0.3);

    private static double[] f(GaussianMixture rows, long key, int count) {
        try (Scope scope = Scope.open()) {
            return ROWS.at(rows.draw(Key.of(key), count)).toDoubles();
        }
    }

    private static double[] quantiles(GaussianMixture rows) {
        HeldOutReference reference = new HeldOutReference(1, 1, Optional.empty(), f(ROWS, 1, 2000));
        return Arrays.stream(f(rows, 2, 1000)).map(reference::quantile).toArray();
    }

    /** The quantiles of held-out rows among themselves are even, so that two samples of quantiles are compared. */
    private static double pValue(double[] quantiles) {
        double[] even = new double[2000];
        Arrays.setAll(even, i -> (i + 2.0) / 2001);
        return KolmogorovSmirnovTest.withDefaults().test(quantiles, even).getPValue();
    }

    @Test
    void quantilesOfFreshRowsAreUniform() {
        double[] quantiles = quantiles(ROWS);
        assertThat(pValue(quantiles)).isGreaterThan(ALPHA);
        // of 1000 rows 10 ± 3.1 are alarms at 0.01, and held-out ones leave ± 2.2 more: 4 deviations are 15
        assertThat(Arrays.stream(quantiles).filter(q -> q <= 0.01).count()).isBetween(0L, 25L);
        assertThat(Arrays.stream(quantiles).min().orElseThrow()).isGreaterThanOrEqualTo(1.0 / 2001);
    }

    /** Power: rows that spread a fifth wider are told. */
    @Test
    void quantilesOfOtherRowsAreNot() {
        assertThat(pValue(quantiles(OTHERS))).isLessThan(ALPHA);
    }
}

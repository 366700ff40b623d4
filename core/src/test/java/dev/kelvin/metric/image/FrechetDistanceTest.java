package dev.kelvin.metric.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.InScope;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.OneThread;
import dev.kelvin.tensor.SymmetricEigen;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@ExtendWith({OneThread.class, InScope.class})
class FrechetDistanceTest {
    /** Standard deviations fall as 1/k, as features' do. */
    private static Tensor features(long seed, int n, int d) {
        double[] scales = new double[d];
        Arrays.setAll(scales, k -> 1.0 / (k + 1));
        return Tensors.normal(Key.of(seed), DType.DOUBLE, Device.CPU, n, d)
                .times(Tensors.of(scales))
                .matmul(Tensors.normal(Key.of(99), DType.DOUBLE, Device.CPU, d, d))
                .plus((double) seed);
    }

    private static double distance(Tensor x, Tensor y) {
        try (Moments first = Moments.of(x);
                Moments second = Moments.of(y)) {
            return FrechetDistance.of(first, second);
        }
    }

    private static double trace(Tensor x) {
        try (Moments moments = Moments.of(x)) {
            return moments.covariance().diagonal().sum().item();
        }
    }

    /** S = XᵀX/(n − 1) with centred X, so tr √(S₁S₂) is the sum of X₁X₂ᵀ's singular values: no covariance is formed. */
    private static double byTheSets(Tensor x, Tensor y) {
        Tensor first = x.minus(x.mean(0L));
        Tensor second = y.minus(y.mean(0L));
        Tensor cross = first.matmul(second.transpose());
        Tensor gram = x.size(0) < y.size(0)
                ? cross.matmul(cross.transpose())
                : cross.transpose().matmul(cross);
        double root = SymmetricEigen.valuesOf(gram)
                .clamp(0, Double.POSITIVE_INFINITY)
                .sqrt()
                .sum()
                .item();
        double freedom = (x.size(0) - 1.0) * (y.size(0) - 1.0);
        double means = x.mean(0L).minus(y.mean(0L)).square().sum().item();
        return means + trace(x) + trace(y) - 2 * root / Math.sqrt(freedom);
    }

    @ParameterizedTest
    @CsvSource({"30, 40, 5", "40, 30, 5", "6, 50, 20", "50, 6, 20", "8, 9, 30", "2, 2, 3", "12, 12, 12"})
    void equalsTheSumOfSingularValues(int n, int m, int d) {
        Tensor x = features(1, n, d);
        Tensor y = features(2, m, d);
        double expected = byTheSets(x, y);
        double found = distance(x, y);
        // a zero among the eigenvalues is rounding's root, 1e-8 of the largest
        assertThat(found).isCloseTo(expected, within(1e-7 * (trace(x) + trace(y))));
        assertThat(distance(y, x)).isCloseTo(found, within(1e-12 * expected));
    }

    @Test
    void diagonalCovariancesByHand() {
        Tensor first = Tensors.of(new double[] {4, 0, 0, 9}, 2, 2);
        Tensor second = Tensors.of(new double[] {1, 0, 0, 25}, 2, 2);
        // 1 + 4, (2 − 1)² + (3 − 5)²
        assertThat(FrechetDistance.of(Tensors.of(new double[] {1, -2}), first, second))
                .isCloseTo(10, within(1e-13));
    }

    @ParameterizedTest
    @CsvSource({"500, 40", "20, 60", "2, 10", "41, 40", "5, 1"})
    void ofASetWithItselfIsZero(int n, int d) {
        Tensor x = features(3, n, d);
        assertThat(distance(x, x)).isCloseTo(0, within(1e-8 * trace(x)));
        double[] shift = new double[d];
        shift[0] = 2;
        assertThat(distance(x, x.plus(Tensors.of(shift)))).isCloseTo(4, within(1e-8 * (trace(x) + 4)));
    }

    @Test
    void constantsHaveOnlyAMean() {
        Tensor ones = Tensors.full(1, DType.DOUBLE, Device.CPU, 4, 3);
        assertThat(distance(ones, ones.plus(2))).isEqualTo(12);
        Tensor x = features(4, 9, 3);
        assertThat(distance(ones, x.minus(x.mean(0L)).plus(1))).isCloseTo(trace(x), within(1e-12 * trace(x)));
    }

    @Test
    void turningBothSetsChangesNothing() {
        Tensor x = features(5, 60, 12);
        Tensor y = features(6, 70, 12);
        Tensor mixing = Tensors.normal(Key.of(7), DType.DOUBLE, Device.CPU, 12, 12);
        Tensor turn = SymmetricEigen.of(mixing.plus(mixing.transpose())).vectors();
        double plain = distance(x, y);
        assertThat(distance(x.matmul(turn), y.matmul(turn))).isCloseTo(plain, within(1e-10 * plain));
        // a power twin: other axes for one of them
        assertThat(Math.abs(distance(x.matmul(turn), y) - plain)).isGreaterThan(1e-3 * plain);
    }

    @Test
    void batchesDoNotMatter() {
        Tensor x = features(8, 100, 10);
        Tensor y = features(9, 120, 10);
        double whole = distance(x, y);
        try (Moments parts = new Moments(10);
                Moments reference = Moments.of(y)) {
            for (int start = 90; start >= 0; start -= 10) {
                parts.add(x.narrow(0, start, 10));
            }
            double found = FrechetDistance.of(parts, reference);
            assertThat(found).isCloseTo(whole, within(1e-10 * whole));
        }
    }

    @Test
    void notANumberIsReported() {
        Tensor bad = Tensors.of(new float[] {0, Float.NaN, 1, 1, 1 / 0f, 2}, 3, 2);
        double found = distance(bad, features(1, 5, 2));
        assertThat(found).isNaN();
        // finite, but their squares are not
        assertThat(distance(features(1, 5, 2).times(1e200), features(1, 5, 2))).isNaN();
    }

    @Test
    void mistakesAreNamed() {
        assertThatThrownBy(() -> distance(features(1, 5, 2), features(1, 5, 3)))
                .hasMessage("only features of one network compare; found vectors of 2 and of 3 dimensions");
        assertThatThrownBy(() -> distance(features(1, 1, 2), features(1, 5, 2)))
                .hasMessage("a covariance takes 2 or more feature vectors, found 1");
    }
}

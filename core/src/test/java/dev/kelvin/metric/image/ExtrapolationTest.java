package dev.kelvin.metric.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.metric.Subset;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.OneThread;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(OneThread.class)
class ExtrapolationTest {
    private static Tensor features(long seed, int n, int d) {
        return Tensors.normal(Key.of(seed), DType.DOUBLE, Device.CPU, n, d);
    }

    @Test
    void pointsOnALineGiveTheLine() {
        int[] sizes = {10, 40, 25, 10};
        double[] values =
                Arrays.stream(sizes).mapToDouble(size -> 3 - 7.0 / size).toArray();
        assertThat(Extrapolation.of(sizes, values)).isCloseTo(3, within(1e-13));
    }

    @Test
    void sizesAreEvenAndRounded() {
        assertThat(Extrapolation.sizes(10, 20, 4)).containsExactly(10, 13, 17, 20);
        assertThat(Extrapolation.sizes(1000, 4500, 10))
                .startsWith(1000, 1389)
                .endsWith(4500)
                .hasSize(10);
    }

    /**
     * Samples of the reference's distribution: FID at N is biased upwards, FID∞ is not. For N(0, I) in d = 8 the bias is
     * (d + d(d + 1)/4)/N = 26/N. Over 300 other keys FID at N = 100 was 0.260 with sd 0.054, the slope 26.0 with sd 5.8 and
     * FID∞ -0.0001 with sd 0.0067. The bound lies 4.5 sd away: alpha is 7e-6. FID at N = 100 is the power twin,
     * which must miss FID∞'s bound.
     */
    @Test
    void theBiasOfFrechetDistanceIsTakenOffStatTest() {
        try (Scope scope = Scope.open()) {
            Tensor axes = Tensors.eye(8, DType.DOUBLE).times(Math.sqrt(7.5)); // ± of which have the covariance I
            Tensor features = features(1, 4000, 8);
            try (Moments reference = Moments.of(Tensors.concat(0, axes, axes.negate()));
                    Moments few = Moments.of(features.rows(Subset.draw(Key.of(2).child(0), 4000, 100)))) {
                int[] sizes = Extrapolation.sizes(100, 2000, 8);
                double found = Extrapolation.frechet(Key.of(2), features, reference, sizes);
                assertThat(Math.abs(found)).isLessThan(0.03);
                assertThat(FrechetDistance.of(few, reference)).isGreaterThan(0.03);
                assertThat(found).isEqualTo(Extrapolation.frechet(Key.of(2), features, reference, sizes));
            }
        }
    }

    @Test
    void kernelDistanceAtEachSizeIsThatOfTheDraws() {
        try (Scope scope = Scope.open()) {
            Tensor x = features(1, 50, 3);
            Tensor y = features(2, 60, 3).plus(1);
            int[] sizes = {20, 30, 40, 50};
            double[] values = new double[4];
            for (int i = 0; i < 4; i++) {
                Key[] keys = Key.of(3).child(i).split(2);
                Tensor left = x.rows(Subset.draw(keys[0], 50, sizes[i]));
                Tensor right = y.rows(Subset.draw(keys[1], 60, sizes[i]));
                values[i] = KernelDistance.squared(left, right);
            }
            assertThat(Extrapolation.kernel(Key.of(3), x, y, sizes))
                    .isCloseTo(Extrapolation.of(sizes, values), within(1e-12));
        }
    }

    @Test
    void notANumberIsReported() {
        assertThat(Extrapolation.of(new int[] {10, 20, 30}, 1, Double.NaN, 2)).isNaN();
        assertThat(Extrapolation.of(new int[] {10, 20, 30}, 1, Double.POSITIVE_INFINITY, 2))
                .isNaN();
        try (Scope scope = Scope.open()) {
            double[] values = features(1, 500, 1).toDoubles();
            values[77] = Double.NaN; // which few of the draws hold
            Tensor bad = Tensors.of(values, 500, 1);
            assertThat(Extrapolation.kernel(Key.of(1), bad, bad, 2, 3, 4)).isNaN();
        }
    }
}

package dev.kelvin.metric.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.metric.Subset;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.InScope;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.OneThread;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@ExtendWith({OneThread.class, InScope.class})
class KernelDistanceTest {
    private static Tensor features(long seed, int n, int d) {
        return Tensors.normal(Key.of(seed), DType.DOUBLE, Device.CPU, n, d).plus(0.1 * seed);
    }

    private static double plain(double[] x, double[] y, int d) {
        double n = (double) x.length / d;
        double m = (double) y.length / d;
        return kernelSum(x, x, d, true) / (n * (n - 1))
                + kernelSum(y, y, d, true) / (m * (m - 1))
                - 2 * kernelSum(x, y, d, false) / (n * m);
    }

    private static double kernelSum(double[] x, double[] y, int d, boolean same) {
        double sum = 0;
        for (int i = 0; i < x.length / d; i++) {
            for (int j = 0; j < y.length / d; j++) {
                double product = 0;
                for (int k = 0; k < d; k++) {
                    product += x[i * d + k] * y[j * d + k];
                }
                sum += same && i == j ? 0 : Math.pow(product / d + 1, 3);
            }
        }
        return sum;
    }

    @ParameterizedTest
    @CsvSource({"2, 2, 1", "9, 14, 3", "2100, 40, 2"}) // 2100 are more than a block
    void equalsThePlainSum(int n, int m, int d) {
        Tensor x = features(1, n, d);
        Tensor y = features(4, m, d);
        double expected = plain(x.toDoubles(), y.toDoubles(), d);
        assertThat(KernelDistance.squared(x, y)).isCloseTo(expected, within(1e-10 * Math.abs(expected)));
        assertThat(KernelDistance.squared(y, x)).isCloseTo(expected, within(1e-10 * Math.abs(expected)));
    }

    @Test
    void subsetsAreTheKeys() {
        Tensor x = features(1, 60, 3);
        Tensor y = features(4, 50, 3);
        KernelDistance found = KernelDistance.of(Key.of(1), x, y, 7, 20);
        double[] parts = new double[7];
        for (int i = 0; i < 7; i++) {
            Key[] keys = Key.of(1).child(i).split(2);
            double[] left = x.rows(Subset.draw(keys[0], 60, 20)).toDoubles();
            double[] right = y.rows(Subset.draw(keys[1], 50, 20)).toDoubles();
            parts[i] = plain(left, right, 3);
        }
        double mean = Arrays.stream(parts).average().orElseThrow();
        double squares = Arrays.stream(parts).map(v -> (v - mean) * (v - mean)).sum();
        assertThat(found.mean()).isCloseTo(mean, within(1e-12));
        assertThat(found.spread()).isCloseTo(Math.sqrt(squares / 7), within(1e-12));
        assertThat(found)
                .isEqualTo(KernelDistance.of(Key.of(1), x, y, 7, 20))
                .isNotEqualTo(KernelDistance.of(Key.of(2), x, y, 7, 20));
    }

    @Test
    void subsetsOfTheWholeSetAreTheSet() {
        Tensor x = features(1, 20, 3);
        Tensor y = features(4, 20, 3);
        KernelDistance found = KernelDistance.of(Key.of(1), x, y, 3, 20);
        assertThat(found.mean()).isCloseTo(KernelDistance.squared(x, y), within(1e-13));
        assertThat(found.spread()).isCloseTo(0, within(1e-13));
    }

    /** Subsets of 5 among 8: 12 000 draws, each row's share 5/8 to 5 sd, two-sided alpha 6e-7 for each of 8 checks. */
    @Test
    void subsetsAreUniformStatTest() {
        int draws = 12_000;
        int[] counts = new int[8];
        for (int i = 0; i < draws; i++) {
            long[] rows = Subset.draw(Key.of(5).child(i), 8, 5);
            assertThat(rows).hasSize(5).doesNotHaveDuplicates();
            for (long row : rows) {
                counts[(int) row]++;
            }
        }
        double sd = Math.sqrt(draws * 5 / 8.0 * 3 / 8.0);
        for (int count : counts) {
            assertThat(count).isCloseTo(draws * 5 / 8, within((int) (5 * sd)));
        }
    }

    @Test
    void notANumberIsReported() {
        Tensor bad = Tensors.of(new float[] {0, Float.NaN, 1, 1, 1 / 0f, 2, 3, 4, 5, 6}, 5, 2);
        Tensor good = features(1, 5, 2);
        KernelDistance found = KernelDistance.of(Key.of(1), good, bad, 2, 2);
        assertThat(found.mean()).isNaN();
        assertThat(found.spread()).isNaN();
    }

    @Test
    void mistakesAreNamed() {
        Tensor x = features(1, 5, 2);
        assertThatThrownBy(() -> KernelDistance.of(Key.of(1), x, x, 100, 1000))
                .hasMessageContaining("subsets of 1000 vectors cannot be drawn from sets of 5 and 5");
        assertThatThrownBy(() -> KernelDistance.of(Key.of(1), x, features(1, 5, 3), 2, 2))
                .hasMessageContaining("vectors of 2 and of 3 dimensions");
        assertThatThrownBy(() -> KernelDistance.of(Key.of(1), x.narrow(0, 0, 1), x, 2, 2))
                .hasMessage("a kernel distance takes 2 or more feature vectors, found 1");
        assertThatThrownBy(() -> KernelDistance.of(Key.of(1), x.select(1, 0), x, 2, 2))
                .hasMessageContaining("[n, d]; found DOUBLE[5]");
    }

    /** A subset of all vectors is the whole set, whichever way its kernel values are summed. */
    @Test
    void subsetsOfAllVectorsAreTheWholeSets() {
        for (int n : new int[] {30, 2100}) {
            Tensor x = Tensors.normal(Key.of(1), n, 3);
            Tensor y = Tensors.normal(Key.of(2), n, 3).times(1.3);
            double whole = KernelDistance.squared(x, y);
            KernelDistance parts = KernelDistance.of(Key.of(3), x, y, 2, n);
            assertThat(parts.mean()).isCloseTo(whole, within(1e-9 * Math.abs(whole)));
            assertThat(parts.spread()).isLessThan(1e-9);
        }
    }
}

package dev.kelvin.metric.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.InScope;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.OneThread;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith({OneThread.class, InScope.class})
class MomentsTest {
    private static Tensor features(long seed, int n, int d) {
        Tensor mixing = Tensors.normal(Key.of(seed).child(1), DType.DOUBLE, Device.CPU, d, d);
        return Tensors.normal(Key.of(seed), DType.DOUBLE, Device.CPU, n, d)
                .matmul(mixing)
                .plus(3);
    }

    private static void assertSame(Tensor found, double[] expected, double tolerance) {
        double[] numbers = found.toDoubles();
        assertThat(numbers).hasSameSizeAs(expected);
        for (int i = 0; i < expected.length; i++) {
            assertThat(numbers[i]).as("number " + i).isCloseTo(expected[i], within(tolerance));
        }
    }

    private static double[] plainMean(double[] x, int n, int d) {
        double[] mean = new double[d];
        for (int i = 0; i < x.length; i++) {
            mean[i % d] += x[i] / n;
        }
        return mean;
    }

    private static double[] plainCovariance(double[] x, int n, int d) {
        double[] mean = plainMean(x, n, d);
        double[] covariance = new double[d * d];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < d * d; j++) {
                covariance[j] += (x[i * d + j / d] - mean[j / d]) * (x[i * d + j % d] - mean[j % d]) / (n - 1);
            }
        }
        return covariance;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 100, 2500})
    void batchesGiveTheWholeSetsMoments(int size) {
        int n = 2500; // more than one block
        int d = 6;
        Tensor x = features(1, n, d);
        try (Moments moments = new Moments(d)) {
            for (int start = 0; start < n; start += size) {
                moments.add(x.narrow(0, start, Math.min(size, n - start)));
            }
            assertThat(moments.count()).isEqualTo(n);
            assertSame(moments.mean(), plainMean(x.toDoubles(), n, d), 1e-11);
            assertSame(moments.covariance(), plainCovariance(x.toDoubles(), n, d), 1e-10);
        }
    }

    @Test
    void orderDoesNotMatter() {
        Tensor x = features(2, 90, 4);
        try (Moments forwards = Moments.of(x);
                Moments backwards = new Moments(4)) {
            for (int i = 89; i >= 0; i--) {
                backwards.add(x.narrow(0, i, 1));
            }
            assertSame(backwards.mean(), forwards.mean().toDoubles(), 1e-12);
            assertSame(backwards.covariance(), forwards.covariance().toDoubles(), 1e-11);
        }
    }

    /** Σx² − nμ² would lose all of the variance: its rounding is 1e18·2e-16. */
    @Test
    void farFromTheOriginNothingIsLost() {
        double[] near = features(4, 300, 3).toDoubles();
        double[] far = new double[near.length];
        for (int i = 0; i < far.length; i++) {
            near[i] = Math.rint(near[i] * 1024) / 1024; // so that far is exact
            far[i] = near[i] + 1e9;
        }
        try (Moments moments = new Moments(3)) {
            for (int start = 0; start < 300; start += 50) {
                moments.add(Tensors.of(far, 300, 3).narrow(0, start, 50));
            }
            // the means of batches are rounded to 1e-7, times deviations of 1
            assertSame(moments.covariance(), plainCovariance(near, 300, 3), 1e-6);
        }
    }

    @Test
    void floatsAreSummedInDouble() {
        Tensor x = features(5, 50, 3).to(DType.FLOAT);
        try (Moments moments = Moments.of(x)) {
            assertSame(moments.covariance(), plainCovariance(x.toDoubles(), 50, 3), 1e-11);
        }
    }

    @Test
    void notANumberIsReported() {
        double[] values = features(6, 10, 2).toDoubles();
        values[3] = Double.NaN;
        values[8] = Double.POSITIVE_INFINITY;
        values[9] = Double.NaN;
        try (Moments moments = new Moments(2)) {
            moments.add(features(7, 5, 2));
            moments.add(Tensors.of(values, 10, 2));
            moments.add(features(8, 5, 2));
            assertThat(moments.mean().toDoubles()).containsOnly(Double.NaN);
            assertThat(moments.covariance().toDoubles()).containsOnly(Double.NaN);
            assertThat(moments.count()).isEqualTo(20);
        }
    }

    @Test
    void mistakesAreNamed() {
        try (Moments moments = new Moments(3)) {
            assertThatThrownBy(moments::mean).hasMessage("a mean takes 1 or more feature vectors, found 0");
            assertThatThrownBy(() -> moments.add(features(1, 5, 4)))
                    .hasMessage("these moments are of 3 dimensions; found feature vectors of 4");
            assertThatThrownBy(() -> moments.add(Tensors.zeros(DType.FLOAT, Device.CPU, 5, 3, 8, 8)))
                    .hasMessageContaining("[n, d]; found FLOAT[5, 3, 8, 8]");
            moments.add(features(1, 1, 3));
            assertThatThrownBy(moments::covariance).hasMessage("a covariance takes 2 or more feature vectors, found 1");
        }
    }
}

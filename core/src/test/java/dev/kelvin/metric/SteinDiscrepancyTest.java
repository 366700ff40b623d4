package dev.kelvin.metric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.diagnostic.ChainDraws;
import dev.kelvin.energy.Gaussian;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SteinDiscrepancyTest {
    private static final Gaussian UNIT = Gaussian.isotropic(new double[2], 1);
    private static final int SETS = 20;

    /** Student's t with 19 degrees of freedom, alpha = 1e-4 two-sided over the class's 2 checks. */
    private static final double BOUND = 5.21;

    /** k₀ by its definition, the kernel's derivatives being central differences of step e: error e², rounding 1e-16/e². */
    @Test
    void steinKernelIsThatOfTheDefinition() {
        double[] x = {0.3, -1.1};
        double[] y = {1.2, 0.4};
        double[] sx = {0.7, -0.2};
        double[] sy = {-1.5, 0.9};
        double e = 1e-4;
        double expected = (sx[0] * sy[0] + sx[1] * sy[1]) * kernel(x, y);
        for (int k = 0; k < 2; k++) {
            expected += sx[k] * (kernel(x, moved(y, k, e)) - kernel(x, moved(y, k, -e))) / (2 * e);
            expected += sy[k] * (kernel(moved(x, k, e), y) - kernel(moved(x, k, -e), y)) / (2 * e);
            expected += (kernel(moved(x, k, e), moved(y, k, e))
                            - kernel(moved(x, k, e), moved(y, k, -e))
                            - kernel(moved(x, k, -e), moved(y, k, e))
                            + kernel(moved(x, k, -e), moved(y, k, -e)))
                    / (4 * e * e);
        }
        double[] points = {x[0], x[1], y[0], y[1]};
        double[] gradients = {sx[0], sx[1], sy[0], sy[1]};
        double same = 0.53 + 3.06 + 4; // with itself: ‖s‖² + d
        assertThat(SteinDiscrepancy.squared(points, gradients, 2)).isCloseTo((2 * expected + same) / 4, within(1e-7));
    }

    private static double kernel(double[] x, double[] y) {
        return 1 / Math.sqrt(1 + Math.pow(x[0] - y[0], 2) + Math.pow(x[1] - y[1], 2));
    }

    private static double[] moved(double[] x, int k, double by) {
        double[] copy = x.clone();
        copy[k] += by;
        return copy;
    }

    @Test
    void gradientsAreTheDensitys() {
        try (Scope scope = Scope.open()) {
            Tensor x = UNIT.draw(Key.of(91), Batches.SIZE + 50, DType.DOUBLE); // more than one batch
            double given = SteinDiscrepancy.squared(x.toDoubles(), x.negate().toDoubles(), Batches.SIZE + 50);
            assertThat(SteinDiscrepancy.of(UNIT, x)).isEqualTo(Math.sqrt(given));
            LogDensity plain = points -> points.square().sum(1L).times(-0.5); // by automatic differentiation
            assertThat(SteinDiscrepancy.of(plain, x)).isCloseTo(Math.sqrt(given), within(1e-13));
            // the normaliser is not needed; a wrong temperature is seen
            assertThat(SteinDiscrepancy.of(UNIT.tempered(2), x)).isGreaterThan(Math.sqrt(10 * given));
        }
    }

    /**
     * For exact draws E KSD² = E k₀(x, x)/n = (E‖s‖² + d)/n = 4/n. Draws moved by ½ are
     * the power twin: their KSD² does not fall with n.
     */
    @Test
    void discrepancyOfExactDrawsFallsStatTest() {
        for (int n : new int[] {100, 400}) {
            assertThat(Math.abs(studentised(0, n))).isLessThan(BOUND);
            assertThat(studentised(0.5, n)).isGreaterThan(BOUND);
        }
    }

    private static double[] values(double shift, int n) {
        double[] values = new double[SETS];
        for (int i = 0; i < SETS; i++) {
            try (Scope scope = Scope.open()) {
                Tensor x =
                        UNIT.draw(Key.of(92).child(n).child(i), n, DType.DOUBLE).plus(shift);
                values[i] = n * Math.pow(SteinDiscrepancy.of(UNIT, x), 2) - 4;
            }
        }
        return values;
    }

    private static double studentised(double shift, int n) {
        double[] values = values(shift, n);
        return ChainDraws.mean(values) / Math.sqrt(ChainDraws.variance(values) / SETS);
    }

    @Test
    void notANumberIsReported() {
        double[] x = {0, 0.5, 1, 1, 2, 2};
        double[] gradients = {0, 0, 1, 1, 3, 2};
        assertThat(SteinDiscrepancy.squared(x, gradients, 3)).isFinite();
        for (double bad : new double[] {Double.NaN, Double.POSITIVE_INFINITY}) {
            for (double[] broken : new double[][] {x, gradients}) {
                double before = broken[2];
                broken[2] = bad;
                assertThat(SteinDiscrepancy.squared(x, gradients, 3)).isNaN();
                broken[2] = before;
            }
        }
    }

    @Test
    void mistakesAreNamed() {
        try (Scope scope = Scope.open()) {
            Tensor x = Tensors.of(new double[4], 2, 2);
            assertThatThrownBy(() -> SteinDiscrepancy.of(UNIT, x.narrow(0, 0, 1)))
                    .hasMessageContaining("two samples or more");
        }
    }

    /** ∇f of an image network needs memory for every layer: images are asked for a few at a time. */
    @Test
    void imagesGoInSmallBatches() {
        try (Scope scope = Scope.open()) {
            Tensor images = Tensors.normal(Key.of(9), DType.DOUBLE, Device.CPU, 300, 1, 30, 30);
            AtomicLong largest = new AtomicLong();
            LogDensity f = x -> {
                largest.accumulateAndGet(x.size(0), Math::max);
                return x.flattenSamples().square().sum(1L).times(-0.5);
            };
            double found = SteinDiscrepancy.of(f, images);
            assertThat(largest.get()).isBetween(2L, 150L);
            double[] x = images.toDoubles();
            assertThat(found)
                    .isEqualTo(Math.sqrt(
                            SteinDiscrepancy.squared(x, images.times(-1).toDoubles(), 300)));
        }
    }
}

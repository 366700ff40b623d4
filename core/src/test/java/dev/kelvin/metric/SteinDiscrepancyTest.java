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
import java.util.function.ToDoubleFunction;
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
        double c = 1.3;
        double e = 1e-4;
        double expected = (sx[0] * sy[0] + sx[1] * sy[1]) * kernel(x, y, c);
        for (int k = 0; k < 2; k++) {
            expected += sx[k] * (kernel(x, moved(y, k, e), c) - kernel(x, moved(y, k, -e), c)) / (2 * e);
            expected += sy[k] * (kernel(moved(x, k, e), y, c) - kernel(moved(x, k, -e), y, c)) / (2 * e);
            expected += (kernel(moved(x, k, e), moved(y, k, e), c)
                            - kernel(moved(x, k, e), moved(y, k, -e), c)
                            - kernel(moved(x, k, -e), moved(y, k, e), c)
                            + kernel(moved(x, k, -e), moved(y, k, -e), c))
                    / (4 * e * e);
        }
        try (Scope scope = Scope.open()) {
            Tensor points = Tensors.of(new double[] {x[0], x[1], y[0], y[1]}, 2, 2);
            Tensor gradients = Tensors.of(new double[] {sx[0], sx[1], sy[0], sy[1]}, 2, 2);
            SteinDiscrepancy found = SteinDiscrepancy.of(points, gradients, c);
            assertThat(found.unbiased()).isCloseTo(expected, within(1e-7));
            // with itself: ‖s‖²/c + d/c³
            double same = (0.53 + 3.06) / c + 4 / (c * c * c);
            assertThat(found.squared()).isCloseTo((2 * found.unbiased() + same) / 4, within(1e-14));
            assertThat(found.value()).isEqualTo(Math.sqrt(found.squared()));
            assertThat(found.samples()).isEqualTo(2);
        }
    }

    private static double kernel(double[] x, double[] y, double c) {
        return 1 / Math.sqrt(c * c + Math.pow(x[0] - y[0], 2) + Math.pow(x[1] - y[1], 2));
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
            SteinDiscrepancy given = SteinDiscrepancy.of(x, x.negate(), 1);
            assertThat(SteinDiscrepancy.of(UNIT, x)).isEqualTo(given);
            LogDensity plain = points -> points.square().sum(1L).times(-0.5); // by automatic differentiation
            assertThat(SteinDiscrepancy.of(plain, x).squared()).isCloseTo(given.squared(), within(1e-14));
            // the normaliser is not needed; a wrong temperature is seen
            assertThat(SteinDiscrepancy.of(UNIT.tempered(2), x).squared()).isGreaterThan(10 * given.squared());
        }
    }

    /**
     * For exact draws E KSD² = E k₀(x, x)/n = (E‖s‖² + d)/n = 4/n, and the unbiased form has mean 0. Draws moved by ½ are
     * the power twin: their KSD² does not fall with n.
     */
    @Test
    void discrepancyOfExactDrawsFallsStatTest() {
        for (int n : new int[] {100, 400}) {
            assertThat(Math.abs(studentised(0, n, found -> n * found.squared() - 4)))
                    .isLessThan(BOUND);
            assertThat(studentised(0.5, n, found -> n * found.squared() - 4)).isGreaterThan(BOUND);
        }
        assertThat(Math.abs(studentised(0, 400, SteinDiscrepancy::unbiased))).isLessThan(BOUND);
        double few = ChainDraws.mean(values(0.5, 100, SteinDiscrepancy::unbiased));
        double many = ChainDraws.mean(values(0.5, 400, SteinDiscrepancy::unbiased));
        assertThat(many / few).isBetween(0.5, 2.0);
    }

    private static double[] values(double shift, int n, ToDoubleFunction<SteinDiscrepancy> figure) {
        double[] values = new double[SETS];
        for (int i = 0; i < SETS; i++) {
            try (Scope scope = Scope.open()) {
                Tensor x =
                        UNIT.draw(Key.of(92).child(n).child(i), n, DType.DOUBLE).plus(shift);
                values[i] = figure.applyAsDouble(SteinDiscrepancy.of(UNIT, x));
            }
        }
        return values;
    }

    private static double studentised(double shift, int n, ToDoubleFunction<SteinDiscrepancy> figure) {
        double[] values = values(shift, n, figure);
        return ChainDraws.mean(values) / Math.sqrt(ChainDraws.variance(values) / SETS);
    }

    @Test
    void notANumberIsReported() {
        try (Scope scope = Scope.open()) {
            Tensor x = Tensors.of(new double[] {0, Double.NaN, 1, 1, 2, 2}, 3, 2);
            Tensor gradients = Tensors.of(new double[] {0, 0, 1, 1, 1 / 0.0, 2}, 3, 2);
            SteinDiscrepancy found = SteinDiscrepancy.of(x, gradients, 1);
            assertThat(found.squared()).isNaN();
            assertThat(found.unbiased()).isNaN();
            assertThat(found.value()).isNaN();
            assertThat(found.notFinite()).isEqualTo(2);
        }
    }

    @Test
    void mistakesAreNamed() {
        try (Scope scope = Scope.open()) {
            Tensor x = Tensors.of(new double[4], 2, 2);
            assertThatThrownBy(() -> SteinDiscrepancy.of(UNIT, x, 0)).hasMessageContaining("scale must be above 0");
            assertThatThrownBy(() -> SteinDiscrepancy.of(UNIT, x.narrow(0, 0, 1)))
                    .hasMessageContaining("two samples or more");
            assertThatThrownBy(() -> SteinDiscrepancy.of(x, x.narrow(0, 0, 1), 1))
                    .hasMessageContaining("a gradient of its shape");
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
            SteinDiscrepancy found = SteinDiscrepancy.of(f, images);
            assertThat(largest.get()).isBetween(2L, 150L);
            assertThat(found).isEqualTo(SteinDiscrepancy.of(images, images.times(-1), SteinDiscrepancy.SCALE));
        }
    }
}

package dev.kelvin.metric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.energy.Gaussian;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.Arrays;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;

class MaximumMeanDiscrepancyTest {
    private static final int SETS = 20;
    private static final int SIZE = 500;
    private static final double BANDWIDTH = 1.2;

    /** Student's t with 19 degrees of freedom, alpha = 1e-4 two-sided over the class's 2 checks. */
    private static final double BOUND = 5.21;

    @Test
    void byHand() {
        try (Scope scope = Scope.open()) {
            Tensor x = Tensors.of(new float[] {0, 1}, 2, 1);
            Tensor y = Tensors.of(new float[] {3, 7}, 2, 1);
            DoubleUnaryOperator k = d -> Math.exp(-d * d / 8); // h = 2
            double cross = (k.applyAsDouble(3) + k.applyAsDouble(7) + k.applyAsDouble(2) + k.applyAsDouble(6)) / 4;
            double expected = k.applyAsDouble(1) + k.applyAsDouble(4) - 2 * cross;
            assertThat(MaximumMeanDiscrepancy.squared(x, y, 2)).isCloseTo(expected, within(1e-14));
            // the distances are 1, 2, 3, 4, 6, 7; of an even number the upper middle one is taken
            assertThat(MaximumMeanDiscrepancy.medianDistance(x, y)).isCloseTo(4, within(1e-12));
        }
    }

    @Test
    void equalsThePlainSum() {
        try (Scope scope = Scope.open()) {
            Gaussian gaussian = Gaussian.isotropic(new double[2], 1);
            Tensor x = gaussian.draw(Key.of(1), 2100, DType.DOUBLE);
            Tensor y = gaussian.draw(Key.of(2), 60, DType.DOUBLE).plus(0.5);
            double[] a = x.toDoubles();
            double[] b = y.toDoubles();
            double n = 2100;
            double m = 60;
            double plain = (kernelSum(a, a) - n) / (n * (n - 1))
                    + (kernelSum(b, b) - m) / (m * (m - 1))
                    - 2 * kernelSum(a, b) / (n * m);
            assertThat(MaximumMeanDiscrepancy.squared(x, y, BANDWIDTH)).isCloseTo(plain, within(1e-12));
        }
    }

    private static double kernelSum(double[] a, double[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i += 2) {
            for (int j = 0; j < b.length; j += 2) {
                double dx = a[i] - b[j];
                double dy = a[i + 1] - b[j + 1];
                sum += Math.exp(-(dx * dx + dy * dy) / (2 * BANDWIDTH * BANDWIDTH));
            }
        }
        return sum;
    }

    /** E k = (h²/(h² + 2))^{d/2} exp(−δ²/2(h² + 2)) between unit Gaussians δ apart, here in d = 2. */
    @Test
    void shiftedGaussiansStatTest() {
        double spread = BANDWIDTH * BANDWIDTH + 2;
        double within = BANDWIDTH * BANDWIDTH / spread;
        assertThat(Math.abs(studentised(1, 2 * within * (1 - Math.exp(-1 / (2 * spread))))))
                .isLessThan(BOUND);
        assertThat(Math.abs(studentised(0, 0))).isLessThan(BOUND);
        // the power twin has the diagonals left in, which adds (1 − E k)/n for each set
        double bias = 2 * (1 - within) / SIZE;
        assertThat(Math.abs(studentised(0, -bias))).isGreaterThan(BOUND);
    }

    private static double studentised(double shift, double expected) {
        Gaussian left = Gaussian.isotropic(new double[2], 1);
        Gaussian right = Gaussian.isotropic(new double[] {shift, 0}, 1);
        double[] found = new double[SETS];
        for (int i = 0; i < SETS; i++) {
            try (Scope scope = Scope.open()) {
                Key[] keys = Key.of(3).child(i).split(2);
                found[i] =
                        MaximumMeanDiscrepancy.squared(left.draw(keys[0], SIZE), right.draw(keys[1], SIZE), BANDWIDTH);
            }
        }
        double mean = Arrays.stream(found).average().orElseThrow();
        double squares = Arrays.stream(found)
                .map(value -> (value - mean) * (value - mean))
                .sum();
        return (mean - expected) / Math.sqrt(squares / (SETS - 1) / SETS);
    }

    @Test
    void notANumberIsReported() {
        try (Scope scope = Scope.open()) {
            Tensor x = Tensors.of(new float[] {0, Float.NaN, 1, 1, 1 / 0f, 2}, 3, 2);
            Tensor y = Tensors.of(new float[] {0, 1, 1, 1}, 2, 2);
            assertThat(MaximumMeanDiscrepancy.squared(x, y)).isNaN();
        }
    }

    @Test
    void mistakesAreNamed() {
        try (Scope scope = Scope.open()) {
            Tensor x = Tensors.of(new float[4], 2, 2);
            Tensor three = Tensors.of(new float[6], 2, 3);
            assertThatThrownBy(() -> MaximumMeanDiscrepancy.squared(x, three)).hasMessageContaining("of one size");
            assertThatThrownBy(() -> MaximumMeanDiscrepancy.squared(x, x)).hasMessageContaining("most are equal");
        }
    }
}

package dev.kelvin.energy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.Arrays;
import org.apache.commons.statistics.inference.ChiSquareTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Components drawn from p(k|x), against softmax(scale·f). Alpha is 1e-3 for the class, divided by its 4 checks. */
class JointDensityStatTest {
    private static final double EACH = 1e-3 / 4;
    private static final int ROWS = 20_000;
    private static final double[][] F = {{0.3, -1, 1.2, 0}, {-300, -301, -299.5, -302}};

    /** Rows of both kinds in turn, so that a row that took another's component would be seen. */
    private static Tensor table(DType type) {
        double[] values = new double[ROWS * 4];
        Arrays.setAll(values, i -> F[(i / 4) % 2][i % 4]);
        return Tensors.of(values, ROWS, 4).to(type);
    }

    private static double p(DType type, int kind, double scale, double claimed) {
        try (Scope scope = Scope.open()) {
            long[] drawn = JointDensity.draw(Key.of(61).stream(), table(type), scale);
            assertThat(drawn).hasSize(ROWS);
            long[] counts = new long[4];
            for (int i = kind; i < ROWS; i += 2) {
                counts[(int) drawn[i]]++;
            }
            double[] expected =
                    Tensors.of(F[kind], 1, 4).times(claimed).softmax(1).toDoubles();
            return ChiSquareTest.withDefaults().test(expected, counts).getPValue();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = DType.class,
            names = {"FLOAT", "DOUBLE"})
    void componentsAreDrawnByTheirShare(DType type) {
        assertThat(p(type, 0, 1, 1)).isGreaterThan(EACH);
        assertThat(p(type, 1, 0.5, 0.5)).isGreaterThan(EACH);
        assertThat(p(type, 0, 0.9, 1)).isLessThan(EACH); // the twins: another scale
        assertThat(p(type, 1, 0.5, 0.6)).isLessThan(EACH);
    }

    /** A component that has all the mass is always drawn, also at the ends; what has none never is. */
    @Test
    void certaintyIsCertain() {
        for (int sure = 0; sure < 3; sure++) {
            try (Scope scope = Scope.open()) {
                double[] values = new double[3000];
                Arrays.fill(values, -1000);
                for (int i = sure; i < values.length; i += 3) {
                    values[i] = 1000;
                }
                long expected = sure;
                assertThat(JointDensity.draw(Key.of(62).stream(), Tensors.of(values, 1000, 3), 1))
                        .containsOnly(expected);
            }
        }
    }

    @Test
    void theStreamDecides() {
        try (Scope scope = Scope.open()) {
            Tensor table = table(DType.FLOAT);
            long[] once = JointDensity.draw(Key.of(63).stream(), table, 1);
            assertThat(JointDensity.draw(Key.of(63).stream(), table, 1)).isEqualTo(once);
            assertThat(JointDensity.draw(Key.of(64).stream(), table, 1)).isNotEqualTo(once);
        }
    }
}

package dev.kelvin.math;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class QuadraticTest {
    @Test
    void findsAParabola() {
        double[] x = {100, 101, 103, 107};
        double[] y = new double[4];
        for (int i = 0; i < 4; i++) {
            y[i] = 2 - 3 * x[i] + 0.5 * x[i] * x[i];
        }
        assertThat(Quadratic.through(x, y).at(105)).isCloseTo(2 - 315 + 5512.5, within(1e-6));
    }

    /** numpy.polyfit([0, 0, 1, 2, 2], [0, 2, 5, 1, 3], 2) is (−3.5, 7.5, 1). */
    @Test
    void isOfLeastSquares() {
        Quadratic found = Quadratic.through(new double[] {0, 0, 1, 2, 2}, new double[] {0, 2, 5, 1, 3});
        assertThat(found.at(0)).isCloseTo(1, within(1e-12));
        assertThat(found.at(1)).isCloseTo(5, within(1e-12));
        assertThat(found.at(3)).isCloseTo(1 + 7.5 * 3 - 3.5 * 9, within(1e-12));
    }

    @Test
    void takesThreePlaces() {
        assertThatThrownBy(() -> Quadratic.through(new double[] {1, 1, 2}, new double[] {1, 2, 3}))
                .hasMessageContaining("3 different x");
    }
}

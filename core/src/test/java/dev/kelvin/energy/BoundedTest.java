package dev.kelvin.energy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.List;
import org.junit.jupiter.api.Test;

class BoundedTest {
    private static final List<Support> ALL =
            List.of(Support.real(), Support.positive(), Support.above(-3), Support.below(2), Support.interval(-1, 4));

    /** log|dx/du| against central differences of the map, for each support. */
    @Test
    void theJacobianIsTheMapsSlope() {
        double h = 1e-6;
        try (Scope scope = Scope.open()) {
            for (Support support : ALL) {
                Tensor u = Tensors.of(new double[] {-3, -0.5, 0, 1.2, 4}, 5);
                Tensor difference = support.constrain(u.plus(h))
                        .minus(support.constrain(u.minus(h)))
                        .over(2 * h);
                double[] expected = difference.abs().log().toDoubles();
                assertThat(support.logSlope(u).toDoubles()).containsExactly(expected, within(1e-7));
                assertThat(support.unconstrain(support.constrain(u)).toDoubles())
                        .containsExactly(u.toDoubles(), within(1e-12));
            }
        }
    }

    @Test
    void isTheDensityOfTheFreeCoordinates() {
        try (Scope scope = Scope.open()) {
            LogDensity f = x -> x.square().sum(1L).times(-0.1);
            Bounded bounded = new Bounded(f, ALL);
            Tensor u = Tensors.of(new double[] {0.3, -1, 0.5, 1.5, -0.7, 1, 2, -2, 0.1, 0.4}, 2, 5);
            Tensor x = bounded.constrain(u);
            double[] expected = f.at(x).toDoubles();
            for (int row = 0; row < 2; row++) {
                for (int i = 0; i < 5; i++) {
                    expected[row] += ALL.get(i).logSlope(u.select(0, row)).toDoubles()[i];
                }
            }
            assertThat(bounded.at(u).toDoubles()).containsExactly(expected, within(1e-12));
            assertThat(bounded.unconstrain(x).toDoubles()).containsExactly(u.toDoubles(), within(1e-12));
            GradientCheck.require(bounded, u.to(DType.DOUBLE));
            assertThat(ALL.get(4).words()).isEqualTo("between -1 and 4");
        }
    }

    @Test
    void boundsThatAreNoneAreRefused() {
        assertThatThrownBy(() -> Support.interval(1, 1)).hasMessageStartingWith("support must lie between two bounds");
        assertThatThrownBy(() -> Support.above(Double.NaN)).hasMessageStartingWith("support must");
        assertThatThrownBy(() -> Support.above(Double.POSITIVE_INFINITY)).hasMessageStartingWith("support must");
    }
}

package dev.kelvin.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.energy.Affine;
import dev.kelvin.energy.Gaussian;
import dev.kelvin.energy.GaussianMixture;
import dev.kelvin.energy.GradientCheck;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.OneThread;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Rows of three columns, the first known, against the exact conditional of a mixture of two. There, given x₀ = v, component k
 * has weight wₖN(v; mₖ, sₖ²), and each free column a mean and a variance of its own.
 */
@ExtendWith(OneThread.class)
class GivenColumnsStatTest {
    private static final double[][] CENTRES = {{-1, -1, 0}, {1, 1.5, -0.5}};
    private static final double[] WEIGHTS = {0.4, 0.6};
    private static final double[][] COVARIANCE = {{0.5, 0.3, 0}, {0.3, 0.5, 0.1}, {0, 0.1, 0.4}};
    private static final GaussianMixture TARGET = new GaussianMixture(
            List.of(new Gaussian(CENTRES[0], COVARIANCE), new Gaussian(CENTRES[1], COVARIANCE)), WEIGHTS);
    private static final double KNOWN = 0.25;

    /** E[x_j | x₀] of the mixture: Σ responsibility · (m_j + cov_j0/cov_00 (v − m_0)). */
    private static double mean(int j) {
        double total = 0;
        double sum = 0;
        for (int k = 0; k < 2; k++) {
            double off = KNOWN - CENTRES[k][0];
            double share = WEIGHTS[k] * Math.exp(-off * off / (2 * COVARIANCE[0][0]));
            total += share;
            sum += share * (CENTRES[k][j] + COVARIANCE[j][0] / COVARIANCE[0][0] * off);
        }
        return sum / total;
    }

    /** 2000 samples of standard deviation below 1: four standard errors of a mean are 0.09. */
    @Test
    void samplesTheConditionalOfAMixture() {
        try (Scope scope = Scope.open()) {
            GivenColumns given = new GivenColumns(
                    TARGET.mean(), TARGET.covariance(), new boolean[] {true, false, false}, KNOWN, 99, 99);
            Tensor x = given.sample(Key.of(1), TARGET, 2000, 20, 30, Tensors.of(new float[1], 1));
            assertThat(x.shape()).containsExactly(2000, 3);
            double[] all = x.mean(0L).toDoubles();
            assertThat(all[0]).isCloseTo(KNOWN, within(1e-6));
            assertThat(all[1]).isCloseTo(mean(1), within(0.09));
            assertThat(all[2]).isCloseTo(mean(2), within(0.09));
            // power: the Gaussian with the same moments expects something else
            Affine start = given.density(TARGET, x);
            double gaussian = start.samples(Tensors.of(new float[2], 1, 2)).toDoubles()[1];
            assertThat(Math.abs(gaussian - mean(1))).isGreaterThan(0.1);
        }
    }

    @Test
    void isADensityOfTheFreeColumns() {
        try (Scope scope = Scope.open()) {
            GivenColumns given = new GivenColumns(
                    TARGET.mean(), TARGET.covariance(), new boolean[] {false, true, false}, 99, KNOWN, 99);
            Tensor u = Tensors.normal(Key.of(2), DType.DOUBLE, dev.kelvin.tensor.Device.CPU, 5, 2);
            GradientCheck.require(given.density(TARGET, u), u);
            GivenColumns none = new GivenColumns(TARGET.mean(), TARGET.covariance(), new boolean[3], 99, 99, 99);
            assertThat(none.density(TARGET, u)
                            .samples(Tensors.of(new double[3], 1, 3))
                            .toDoubles())
                    .containsExactly(TARGET.mean(), within(1e-12));
        }
    }

    @Test
    void refusesWhatLeavesNothingToSample() {
        assertThatThrownBy(() ->
                        new GivenColumns(TARGET.mean(), TARGET.covariance(), new boolean[] {true, true, true}, 1, 2, 3))
                .hasMessageContaining("must leave a column free");
        assertThatThrownBy(() -> new GivenColumns(
                        TARGET.mean(), TARGET.covariance(), new boolean[] {true, false, false}, Double.NaN, 0, 0))
                .hasMessageContaining("values.0");
    }
}

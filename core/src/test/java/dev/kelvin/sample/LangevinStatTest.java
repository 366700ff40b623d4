package dev.kelvin.sample;

import static dev.kelvin.sample.Changed.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.energy.Gaussian;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.sample.chain.ChainRun;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.OneThread;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Unadjusted Langevin against its known bias. On a Gaussian with precision P its chain is linear, x' = (I − hP)x + σξ
 * with σ² = 2hT, and stays in N(0, C), C = T (P − hP²/2)⁻¹: for P = 1 the variance T/(1 − h/2).
 *
 * <p>Chains start there by exact draws, so that any number of steps must leave means and covariances as they are. Alpha
 * is 1e-3 for the class, divided by the number of its checks; each is normal to good precision at 50 000 chains.
 */
@ExtendWith(OneThread.class)
class LangevinStatTest {
    private static final double ALPHA = 1e-3;

    /** 6 runs on the unit Gaussian and 3 on the leaning one, 5 moments each. */
    private static final int CHECKS = 9 * 5;

    private static final double BOUND = NormalDistribution.of(0, 1).inverseSurvivalProbability(ALPHA / CHECKS / 2);
    private static final int CHAINS = 50_000;
    private static final int STEPS = 20;
    private static final double[] ZERO = new double[2];
    private static final double[][] UNIT = {{1, 0}, {0, 1}};
    private static final double[][] LEANING = {{2, 0.9}, {0.9, 0.8}};

    /** C of the class's comment, for the 2 × 2 precision of a covariance. */
    private static double[][] stationary(double[][] covariance, double h, double temperature) {
        double[][] p = inverse(covariance);
        double[][] m = new double[2][2];
        for (int i = 0; i < 2; i++) {
            for (int j = 0; j < 2; j++) {
                m[i][j] = (p[i][j] - h / 2 * (p[i][0] * p[0][j] + p[i][1] * p[1][j])) / temperature;
            }
        }
        return inverse(m);
    }

    private static double[][] inverse(double[][] m) {
        double determinant = m[0][0] * m[1][1] - m[0][1] * m[1][0];
        return new double[][] {
            {m[1][1] / determinant, -m[0][1] / determinant}, {-m[1][0] / determinant, m[0][0] / determinant}
        };
    }

    /** The worst moment after a walk that began in N(0, expected). */
    private static double worst(Kernel<?> kernel, LogDensity target, double[][] expected) {
        try (Scope scope = Scope.open()) {
            Tensor start = new Gaussian(ZERO, expected).draw(Key.of(21), CHAINS, DType.DOUBLE);
            Tensor end = ChainRun.run(Key.of(22), kernel, target, start, STEPS).x();
            return SampleMoments.worst(end.toDoubles(), ZERO, expected);
        }
    }

    @ParameterizedTest
    @CsvSource({"0.05, 1", "0.5, 1", "1, 1", "1.5, 1", "0.3, 0.1", "0.3, 4"})
    void varianceOnAUnitGaussian(double h, double temperature) {
        double[][] expected = stationary(UNIT, h, temperature);
        assertThat(expected[0][0]).isCloseTo(temperature / (1 - h / 2), within(1e-12));
        assertThat(worst(with(Langevin.of(h), "temperature", temperature), new Gaussian(ZERO, UNIT), expected))
                .isLessThan(BOUND);
    }

    @ParameterizedTest
    @CsvSource({"0.1, 1", "0.4, 1", "0.2, 3"})
    void covarianceOnALeaningGaussian(double h, double temperature) {
        double[][] expected = stationary(LEANING, h, temperature);
        assertThat(worst(with(Langevin.of(h), "temperature", temperature), new Gaussian(ZERO, LEANING), expected))
                .isLessThan(BOUND);
    }

    // ---- power twins: the same check on what is broken

    @ParameterizedTest
    @CsvSource({
        "noise without its 2, 0.5, 1",
        "noise 5 % too great, 0.5, 1",
        "noise with T for its root, 0.3, 4",
        "downhill, 0.05, 1",
        "half the gradient, 0.5, 1",
        "no bias, 0.5, 1",
        "noise first, 0.5, 1"
    })
    void powerTwinsFail(String fault, double h, double temperature) {
        double sigma = Math.sqrt(2 * h * temperature);
        Gaussian unit = new Gaussian(ZERO, UNIT);
        double[][] expected = stationary(UNIT, h, temperature);
        double found = switch (fault) {
            case "noise without its 2" -> worst(untied(h, Math.sqrt(h * temperature)), unit, expected);
            case "noise 5 % too great" -> worst(untied(h, 1.05 * sigma), unit, expected);
            case "noise with T for its root" -> worst(untied(h, Math.sqrt(2 * h) * temperature), unit, expected);
            case "downhill" -> worst(untied(h, sigma), unit.scaled(-1), expected);
            case "half the gradient" -> worst(untied(h / 2, sigma), unit, expected);
            case "no bias" -> worst(untied(h, sigma), unit, UNIT);
            case "noise first" -> worst(with(Langevin.of(h), "noise", sigma, "noiseFirst", true), unit, expected);
            default -> throw new IllegalArgumentException(fault);
        };
        assertThat(found).isGreaterThan(BOUND);
    }

    private static Langevin untied(double h, double sigma) {
        return with(Langevin.of(h), "noise", sigma);
    }
}

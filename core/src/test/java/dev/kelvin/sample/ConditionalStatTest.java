package dev.kelvin.sample;

import static dev.kelvin.sample.Changed.with;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kelvin.energy.Conditional;
import dev.kelvin.energy.ConditionalGaussian;
import dev.kelvin.energy.Gaussian;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.energy.Observation;
import dev.kelvin.sample.chain.ChainRun;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.OneThread;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.stream.Stream;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Filling in, denoising and products on Gaussians, where what must come out is known in closed form. Exact kernels start there
 * by exact draws, so that any number of steps must leave mean and covariance as they are. Alpha is 1e-3 for the class, divided
 * by the number of its checks.
 */
@ExtendWith(OneThread.class)
class ConditionalStatTest {
    private static final double ALPHA = 1e-3;

    /** 4 times two coordinates are filled in, and a product and a posterior of three: means and covariances. */
    private static final int CHECKS = 4 * 5 + 2 * 9;

    private static final double BOUND = NormalDistribution.of(0, 1).inverseSurvivalProbability(ALPHA / CHECKS / 2);
    private static final int CHAINS = 20_000;
    private static final int STEPS = 12;

    private static final double[] MEAN = {1, -2, 0.5};
    private static final double[][] COVARIANCE = {{2, 0.9, -0.4}, {0.9, 1, 0.3}, {-0.4, 0.3, 0.5}};
    private static final boolean[] FREE = {true, false, true};
    private static final double KNOWN = 0.7;

    // x₁ = .7: mean μ_F + Σ_FK (x₁ − μ₁)/Σ₁₁, covariance Σ_FF − Σ_FK Σ_KF/Σ₁₁, by hand
    private static final double[] GIVEN_MEAN = {1 + 0.9 * (KNOWN + 2), 0.5 + 0.3 * (KNOWN + 2)};
    private static final double[][] GIVEN_COVARIANCE = {
        {2 - 0.81, -0.4 - 0.27},
        {-0.4 - 0.27, 0.5 - 0.09}
    };

    static Stream<Kernel<?>> kernels() {
        return Stream.of(
                Mala.of(0.2), new Hmc(0.3, 4, 0.2, java.util.List.of(), 1), with(Mala.of(0.2), "temperature", 1));
    }

    private static Tensor known() {
        double[] rows = new double[3 * CHAINS];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = i % 3 == 1 ? KNOWN : 99; // what is free does not matter
        }
        return Tensors.of(rows, CHAINS, 3);
    }

    /** The worst moment after a walk on a density that began where it should be. */
    private static double worst(Kernel<?> kernel, LogDensity density, double[] mean, double[][] covariance) {
        Tensor start = new Gaussian(mean, covariance).draw(Key.of(1), CHAINS, DType.DOUBLE);
        Tensor end = ChainRun.run(Key.of(2), kernel, density, start, STEPS).x();
        return SampleMoments.worst(end.toDoubles(), mean, covariance);
    }

    @ParameterizedTest
    @MethodSource("kernels")
    void fillsInAsTheConditionalDistributionIs(Kernel<?> kernel) {
        try (Scope scope = Scope.open()) {
            Conditional given = new Conditional(new Gaussian(MEAN, COVARIANCE), known(), FREE);
            assertThat(worst(kernel, given, GIVEN_MEAN, GIVEN_COVARIANCE)).isLessThan(BOUND);
        }
    }

    /** The power twin: the free coordinates as if the known one were not known. */
    @Test
    void theCheckSeesAMarginalInItsPlace() {
        try (Scope scope = Scope.open()) {
            double[] mean = {MEAN[0], MEAN[2]};
            double[][] covariance = {{2, -0.4}, {-0.4, 0.5}};
            assertThat(worst(Mala.of(0.2), new Gaussian(mean, covariance), GIVEN_MEAN, GIVEN_COVARIANCE))
                    .isGreaterThan(BOUND);
        }
    }

    /** N(m, S) times N(0, s²I) to the power w: precision P = S⁻¹ + w/s², mean P⁻¹S⁻¹m; here S is diagonal. */
    @Test
    void aProductIsTheProductOfDensities() {
        double[][] wide = {{2, 0, 0}, {0, 1, 0}, {0, 0, 0.5}};
        double weight = 0.6;
        double s = 0.8;
        double[] mean = new double[3];
        double[][] covariance = new double[3][3];
        for (int i = 0; i < 3; i++) {
            covariance[i][i] = 1 / (1 / wide[i][i] + weight / (s * s));
            mean[i] = covariance[i][i] * MEAN[i] / wide[i][i];
        }
        try (Scope scope = Scope.open()) {
            LogDensity first = new Gaussian(MEAN, wide);
            LogDensity other = Gaussian.isotropic(new double[3], s);
            assertThat(worst(Mala.of(0.1), first.plus(other.scaled(weight)), mean, covariance))
                    .isLessThan(BOUND);
            assertThat(worst(Mala.of(0.1), first.plus(other), mean, covariance)) // the power twin: another weight
                    .isGreaterThan(BOUND);
        }
    }

    /** y = x + N(0, σ²): covariance Σ − Σ(Σ + σ²I)⁻¹Σ, mean μ + Σ(Σ + σ²I)⁻¹(y − μ). */
    @Test
    void denoisesAsThePosteriorIs() {
        double sigma = 0.7;
        double[] y = {0.3, -1, 1.5};
        double[][] joint = new double[6][6];
        double[] means = new double[6];
        for (int i = 0; i < 6; i++) {
            means[i] = MEAN[i % 3];
            for (int j = 0; j < 6; j++) {
                joint[i][j] = COVARIANCE[i % 3][j % 3] + (i == j && i >= 3 ? sigma * sigma : 0);
            }
        }
        boolean[] free = {true, true, true, false, false, false};
        try (Scope scope = Scope.open()) {
            Tensor asked = Tensors.of(new double[] {0, 0, 0, y[0], y[1], y[2]}, 1, 6);
            ConditionalGaussian exact = new ConditionalGaussian(
                    Tensors.of(means, 6),
                    Tensors.of(
                            Stream.of(joint)
                                    .flatMapToDouble(java.util.Arrays::stream)
                                    .toArray(),
                            6,
                            6),
                    free);
            double[] mean = exact.mean(asked).toDoubles();
            double[][] covariance = posterior(sigma);
            Tensor noisy = Tensors.of(y, 1, 3).expand(CHAINS, 3).contiguous();
            LogDensity prior = new Gaussian(MEAN, COVARIANCE);
            assertThat(worst(Mala.of(0.1), prior.plus(new Observation(noisy, sigma)), mean, covariance))
                    .isLessThan(BOUND);
            assertThat(worst(Mala.of(0.1), prior.plus(new Observation(noisy, 1.1 * sigma)), mean, covariance))
                    .isGreaterThan(BOUND); // the power twin
        }
    }

    /** (Σ⁻¹ + I/σ²)⁻¹ by another way than {@link ConditionalGaussian} takes: the covariance of its draws would not do. */
    private static double[][] posterior(double sigma) {
        double[][] p = inverse(COVARIANCE);
        for (int i = 0; i < 3; i++) {
            p[i][i] += 1 / (sigma * sigma);
        }
        return inverse(p);
    }

    /** By cofactors. */
    private static double[][] inverse(double[][] m) {
        double[][] inverse = new double[3][3];
        double determinant = 0;
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) {
                int a = (i + 1) % 3;
                int b = (i + 2) % 3;
                int c = (j + 1) % 3;
                int d = (j + 2) % 3;
                inverse[j][i] = m[a][c] * m[b][d] - m[a][d] * m[b][c];
            }
        }
        for (int j = 0; j < 3; j++) {
            determinant += m[0][j] * inverse[j][0];
        }
        for (double[] row : inverse) {
            for (int j = 0; j < 3; j++) {
                row[j] /= determinant;
            }
        }
        return inverse;
    }

    @Test
    void theGaussianThatModelsAreComparedWithIsTheConditionalOne() {
        try (Scope scope = Scope.open()) {
            ConditionalGaussian given = new ConditionalGaussian(
                    Tensors.of(MEAN, 3),
                    Tensors.of(
                            Stream.of(COVARIANCE)
                                    .flatMapToDouble(java.util.Arrays::stream)
                                    .toArray(),
                            3,
                            3),
                    FREE);
            Tensor asked = known();
            assertThat(given.mean(asked.narrow(0, 0, 1)).toDoubles())
                    .containsExactly(GIVEN_MEAN, org.assertj.core.api.Assertions.within(1e-12));
            double[] drawn = given.draw(Key.of(3), asked).toDoubles();
            assertThat(SampleMoments.worst(drawn, GIVEN_MEAN, GIVEN_COVARIANCE)).isLessThan(BOUND);
        }
    }
}

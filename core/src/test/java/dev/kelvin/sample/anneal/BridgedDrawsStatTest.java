package dev.kelvin.sample.anneal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kelvin.energy.Affine;
import dev.kelvin.energy.ConditionalGaussian;
import dev.kelvin.energy.Gaussian;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.energy.analytic.GaussianMixture;
import dev.kelvin.sample.Mala;
import dev.kelvin.sample.chain.ChainRun;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.OneThread;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.commons.statistics.distribution.TDistribution;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Samples of two coordinates given a third, of a mixture whose two modes no chain walks between: what must come out is known
 * in closed form. Groups of chains are independent of each other, so the mean over groups of any moment is tested by
 * Student's t. Alpha is 1e-3 for the class, divided by the number of its checks.
 */
@ExtendWith(OneThread.class)
class BridgedDrawsStatTest {
    private static final double ALPHA = 1e-3;
    private static final int GROUPS = 20;
    private static final int EACH = 128;

    /** The share of one mode, and both coordinates' means, squares and product. */
    private static final int CHECKS = 6;

    private static final double BOUND = TDistribution.of(GROUPS - 1).inverseSurvivalProbability(ALPHA / CHECKS / 2);

    private static final double GIVEN = 0.4;
    private static final double[] WEIGHTS = {0.7, 0.3};
    private static final double[][] MEANS = {{0, 3, -1}, {0.5, -4, 2}};
    private static final double[][][] COVARIANCES = {
        {{1, 0.5, -0.2}, {0.5, 0.8, 0.1}, {-0.2, 0.1, 0.6}},
        {{0.5, -0.3, 0.1}, {-0.3, 1, 0.4}, {0.1, 0.4, 0.7}}
    };

    private static GaussianMixture mixture() {
        return new GaussianMixture(
                List.of(new Gaussian(MEANS[0], COVARIANCES[0]), new Gaussian(MEANS[1], COVARIANCES[1])), WEIGHTS);
    }

    /** E[1{y > 0}], E[y], E[z], E[y²], E[z²], E[yz] given the first coordinate; the modes lie far on either side of y = 0. */
    private static double[] exact(double given) {
        double[] expected = new double[CHECKS];
        double[] shares = new double[2];
        for (int k = 0; k < 2; k++) {
            double variance = COVARIANCES[k][0][0];
            double off = given - MEANS[k][0];
            shares[k] = WEIGHTS[k] * Math.exp(-off * off / (2 * variance)) / Math.sqrt(variance);
        }
        double total = shares[0] + shares[1];
        for (int k = 0; k < 2; k++) {
            double[][] s = COVARIANCES[k];
            double off = (given - MEANS[k][0]) / s[0][0];
            double y = MEANS[k][1] + s[1][0] * off;
            double z = MEANS[k][2] + s[2][0] * off;
            double share = shares[k] / total;
            expected[0] += k == 0 ? share : 0;
            expected[1] += share * y;
            expected[2] += share * z;
            expected[3] += share * (y * y + s[1][1] - s[1][0] * s[1][0] / s[0][0]);
            expected[4] += share * (z * z + s[2][2] - s[2][0] * s[2][0] / s[0][0]);
            expected[5] += share * (y * z + s[1][2] - s[1][0] * s[2][0] / s[0][0]);
        }
        return expected;
    }

    /** The conditional in the coordinates of a Gaussian with the mixture's moments. */
    private static Affine conditional(double given) {
        double[] covariance = Stream.of(mixture().covariance())
                .flatMapToDouble(Arrays::stream)
                .toArray();
        ConditionalGaussian gaussian = new ConditionalGaussian(
                Tensors.of(mixture().mean(), 3), Tensors.of(covariance, 3, 3), false, true, true);
        double[] mean =
                gaussian.mean(Tensors.of(new double[] {given, 0, 0}, 1, 3)).toDoubles();
        Tensor free = Tensors.of(new double[] {0, 1, 0, 0, 0, 1}, 2, 3);
        return new Affine(
                mixture(),
                Tensors.of(new double[] {given, mean[0], mean[1]}, 1, 3),
                gaussian.factor().transpose().matmul(free));
    }

    /** The largest t of a moment's mean over groups. */
    private static double worst(Tensor x, double[] expected) {
        double[] rows = x.to(DType.DOUBLE).toDoubles();
        double worst = 0;
        for (int check = 0; check < CHECKS; check++) {
            double[] means = new double[GROUPS];
            for (int i = 0; i < GROUPS * EACH; i++) {
                double y = rows[3 * i + 1];
                double z = rows[3 * i + 2];
                double[] moments = {y > 0 ? 1 : 0, y, z, y * y, z * z, y * z};
                means[i / EACH] += moments[check] / EACH;
            }
            double mean = Arrays.stream(means).average().orElseThrow();
            double squares =
                    Arrays.stream(means).map(m -> (m - mean) * (m - mean)).sum();
            double error = Math.sqrt(squares / (GROUPS - 1) / GROUPS);
            worst = Math.max(worst, Math.abs(mean - expected[check]) / error);
        }
        return worst;
    }

    @Test
    void conditionalsHaveTheirModesInProportion() {
        try (Scope scope = Scope.open()) {
            Affine f = conditional(GIVEN);
            BridgedDraws draws = new BridgedDraws(64, 32, EACH);
            Tensor x = f.samples(draws.draw(Key.of(1), f, GROUPS, EACH, 2, Device.CPU));
            assertThat(x.shape()).containsExactly(GROUPS * EACH, 3);
            assertThat(worst(x, exact(GIVEN))).isLessThan(BOUND);
            assertThat(worst(x, exact(GIVEN + 0.3))).isGreaterThan(BOUND); // the power twin: another condition
        }
    }

    /** The power twin: chains that start in the Gaussian and only walk stay in the mode whose valley they were in. */
    @Test
    void theCheckSeesModesOutOfProportion() {
        try (Scope scope = Scope.open()) {
            LogDensity f = conditional(GIVEN);
            Tensor start = Tensors.normal(Key.of(2), GROUPS * EACH, 2);
            Tensor end = ChainRun.run(Key.of(3), Mala.of(0.02), f, start, 96).x();
            assertThat(worst(conditional(GIVEN).samples(end), exact(GIVEN))).isGreaterThan(BOUND);
        }
    }

    /** Fewer than a group's chains are wanted: they are drawn at random of it, and each group's stay together. */
    @Test
    void someOfAGroupAreOfItsDensity() {
        try (Scope scope = Scope.open()) {
            int wanted = 40; // of each of two groups
            double deviation = 0.5;
            BridgedDraws draws = new BridgedDraws(16, 8, 200);
            assertThat(draws.chains(wanted)).isEqualTo(200);
            assertThat(draws.chains(300)).isEqualTo(300);
            double[] offsets = new double[2 * 200];
            Arrays.fill(offsets, 200, 400, 2);
            Affine f = new Affine(
                    Gaussian.isotropic(new double[] {0}, deviation),
                    Tensors.of(offsets, 400, 1),
                    Tensors.of(new double[] {1}, 1, 1));
            Tensor u = draws.draw(Key.of(4), f, 2, wanted, 1, Device.CPU);
            assertThat(u.shape()).containsExactly(80, 1);
            double error = deviation / Math.sqrt(wanted);
            assertThat(u.narrow(0, 0, wanted).mean().item()).isBetween(-4 * error, 4 * error);
            assertThat(u.narrow(0, wanted, wanted).mean().item()).isBetween(-2 - 4 * error, -2 + 4 * error);
        }
    }
}

package dev.kelvin.sample;

import static dev.kelvin.sample.Changed.with;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kelvin.energy.Gaussian;
import dev.kelvin.energy.analytic.GaussianMixture;
import dev.kelvin.sample.chain.ChainRun;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.OneThread;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Kernels that are not exact, against the bias that is known of them. Alpha is 1e-3 for the class, divided by the number
 * of its checks; each is normal to good precision at 50 000 chains.
 */
@ExtendWith(OneThread.class)
class BiasedKernelsStatTest {
    private static final double ALPHA = 1e-3;
    /** Two forms of the preconditioned step with 9 moments of three coordinates, annealing with 5 of two. */
    private static final int CHECKS = 2 * 9 + 5;

    private static final double BOUND = NormalDistribution.of(0, 1).inverseSurvivalProbability(ALPHA / CHECKS / 2);
    private static final int CHAINS = 50_000;

    private static double[][] diagonal(double... variances) {
        double[][] matrix = new double[variances.length][variances.length];
        for (int i = 0; i < variances.length; i++) {
            matrix[i][i] = variances[i];
        }
        return matrix;
    }

    // ---- preconditioned Langevin whose V stays: x' = (1 − hG)x + noise in each coordinate

    private static final double H = 0.6;

    /** √V; with λ = ½, G = 2, 1 and ½. */
    private static final double[] ROOTS = {0, 0.5, 1.5};

    private static final double[] G = {2, 1, 0.5};

    /** The worst moment of chains that began in N(0, expected), where they are thought to stay. */
    private static double frozen(OptionalDouble noise, double[][] expected) {
        try (Scope scope = Scope.open()) {
            Psgld kernel = new Psgld(H, 1, 0.5, false, noise, OptionalDouble.empty(), Optional.empty());
            Gaussian unit = Gaussian.isotropic(new double[3], 1);
            Tensor x = new Gaussian(new double[3], expected).draw(Key.of(61), CHAINS, DType.DOUBLE);
            Tensor squares = Tensors.zerosLike(x).plus(Tensors.of(ROOTS, 1, 3).square());
            Psgld.State state = new Psgld.State(x, squares);
            for (int step = 0; step < 15; step++) {
                state = kernel.step(Key.of(62).child(step), unit, state).state();
            }
            assertThat(state.meanSquare().toDoubles()).isEqualTo(squares.toDoubles());
            return SampleMoments.worst(state.x().toDoubles(), new double[3], expected);
        }
    }

    @Test
    void preconditionedVarianceIsThatOfItsRecursion() {
        double[] variances = new double[3];
        for (int i = 0; i < 3; i++) {
            variances[i] = 1 / (1 - H * G[i] / 2); // 2hG/(1 − (1 − hG)²)
        }
        assertThat(frozen(OptionalDouble.empty(), diagonal(variances))).isLessThan(BOUND);
        assertThat(frozen(OptionalDouble.empty(), diagonal(1, 1, 1))).isGreaterThan(BOUND);
        double plain = 1 / (1 - H / 2); // of a preconditioner that is left out
        assertThat(frozen(OptionalDouble.empty(), diagonal(plain, plain, plain)))
                .isGreaterThan(BOUND);
    }

    @Test
    void preconditionedVarianceWithNoiseOfItsOwn() {
        double[] variances = new double[3];
        for (int i = 0; i < 3; i++) {
            variances[i] = 0.49 / (2 * H * G[i] - H * H * G[i] * G[i]);
        }
        assertThat(frozen(OptionalDouble.of(0.7), diagonal(variances))).isLessThan(BOUND);
        assertThat(frozen(OptionalDouble.of(0.72), diagonal(variances))).isGreaterThan(BOUND);
    }

    // ---- annealing

    private static final int STEPS = 60;

    /** On a unit Gaussian v' = (1 − h)²v + 2h, exactly. */
    private static double variance(double start, double stepSize, Decay decay) {
        double v = start;
        for (int k = 0; k < STEPS; k++) {
            double h = stepSize * decay.factor(k);
            v = (1 - h) * (1 - h) * v + 2 * h;
        }
        return v;
    }

    @Test
    void annealedLangevinLosesItsBias() {
        Decay decay = new Decay.Polynomial(5, 1);
        double biased = 2; // 1/(1 − h/2), where h = 1 would stay
        double expected = variance(biased, 1, decay);
        assertThat(expected).isBetween(1.0, 1.06);
        assertThat(annealed(with(Langevin.of(1), "anneal", decay), biased, expected))
                .isLessThan(BOUND);
        assertThat(annealed(Langevin.of(1), biased, expected)).isGreaterThan(BOUND);
        assertThat(annealed(with(Langevin.of(1), "anneal", new Decay.Polynomial(5, 0.5)), biased, expected))
                .isGreaterThan(BOUND);
    }

    private static double annealed(Kernel<?> kernel, double start, double expected) {
        try (Scope scope = Scope.open()) {
            Gaussian unit = Gaussian.isotropic(new double[2], 1);
            Tensor x = new Gaussian(new double[2], diagonal(start, start)).draw(Key.of(63), CHAINS, DType.DOUBLE);
            Tensor end = ChainRun.run(Key.of(64), kernel, unit, x, STEPS).x();
            return SampleMoments.worst(end.toDoubles(), new double[2], diagonal(expected, expected));
        }
    }

    // ---- SVGD

    private static final GaussianMixture TWO = GaussianMixture.isotropic(1, new double[][] {{-1, 0}, {1.5, 1}}, 1, 2);

    /**
     * The kernel Stein discrepancy by its V-statistic, k(x, y) = (1 + ‖x − y‖²)^(−½): the root of the mean over all pairs
     * of s(x)·s(y) k + s(x)·∇_y k + s(y)·∇_x k + tr ∇_x∇_y k, s = ∇f.
     */
    private static double discrepancy(Tensor x) {
        double[] at = x.toDoubles();
        double[] s = TWO.gradient(x).toDoubles();
        int n = at.length / 2;
        double sum = 0;
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                double squares = 0;
                double product = 0;
                double drift = 0;
                for (int c = 0; c < 2; c++) {
                    double d = at[2 * i + c] - at[2 * j + c];
                    squares += d * d;
                    product += s[2 * i + c] * s[2 * j + c];
                    drift += (s[2 * i + c] - s[2 * j + c]) * d;
                }
                double q = 1 + squares;
                sum += product * Math.pow(q, -0.5)
                        + drift * Math.pow(q, -1.5)
                        + 2 * Math.pow(q, -1.5)
                        - 3 * squares * Math.pow(q, -2.5);
            }
        }
        return Math.sqrt(sum) / n;
    }

    /** In the end 50 particles lie more evenly than as many independent draws, all of 20 sets of them. */
    @ParameterizedTest
    @EnumSource(Svgd.Update.class)
    void particlesComeNearerToTheTarget(Svgd.Update update) {
        try (Scope scope = Scope.open()) {
            Tensor x = Gaussian.isotropic(new double[] {4, -3}, 0.3).draw(Key.of(65), 50, DType.DOUBLE);
            double stepSize = update == Svgd.Update.PLAIN ? 0.5 : 0.1;
            List<Double> found = new ArrayList<>(List.of(discrepancy(x)));
            ChainRun.run(Key.of(66), with(Svgd.of(stepSize), "update", update), TWO, x, 400, (step, state) -> {
                if (step == 10 || step == 40 || step == 400) {
                    found.add(discrepancy(state.x()));
                }
            });
            for (int i = 1; i < found.size(); i++) {
                assertThat(found.get(i)).isLessThan(found.get(i - 1));
            }
            for (int set = 0; set < 20; set++) {
                double exact = discrepancy(TWO.draw(Key.of(67).child(set), 50, DType.DOUBLE));
                assertThat(found.get(3)).isLessThan(exact);
            }
            // the twin: particles that do not push each other apart end in the modes
            Tensor climbed = ChainRun.run(Key.of(66), GradientDescent.of(stepSize), TWO, x, 400)
                    .x();
            assertThat(discrepancy(climbed))
                    .isGreaterThan(discrepancy(TWO.draw(Key.of(67).child(0), 50, DType.DOUBLE)));
        }
    }
}

package dev.kelvin.sample;

import static dev.kelvin.sample.Changed.with;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kelvin.energy.Gaussian;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.energy.Target;
import dev.kelvin.energy.ValueAndGradient;
import dev.kelvin.energy.analytic.Banana;
import dev.kelvin.energy.analytic.DoubleWell;
import dev.kelvin.energy.analytic.Funnel;
import dev.kelvin.energy.analytic.GaussianMixture;
import dev.kelvin.energy.analytic.Rings;
import dev.kelvin.math.Box;
import dev.kelvin.sample.chain.ChainRun;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.OneThread;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.commons.statistics.distribution.ChiSquaredDistribution;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every exact kernel leaves every target as it is, by the checks of {@link TargetChecks}: chains start in the target by
 * exact draws, hot replicas in exp(f/T). Alpha is 1e-3 for the class, divided by the number of its checks.
 */
@ExtendWith(OneThread.class)
class ExactKernelsStatTest {
    private static final double ALPHA = 1e-3;
    private static final int CHAINS = 20_000;

    /** A target, a box that holds its hottest rung, and step sizes at which a tenth to a half is refused. */
    record Case(String name, Target target, Box box, double mala, double hmc) {
        @Override
        public String toString() {
            return name;
        }

        int dimension() {
            return target.dimension();
        }

        /** Masses of about 1 that differ between coordinates. */
        List<Double> mass() {
            List<Double> mass = new ArrayList<>();
            for (int i = 0; i < dimension(); i++) {
                mass.add(i % 2 == 0 ? 1.4 : 0.8);
            }
            return mass;
        }
    }

    private static final GaussianMixture MODES = modes();

    /** Eight modes on a circle, 6.1 standard deviations apart, the heaviest four times as likely as the lightest. */
    private static GaussianMixture modes() {
        double[][] centres = new double[8][];
        double[] weights = new double[8];
        for (int k = 0; k < 8; k++) {
            centres[k] = new double[] {4 * Math.cos(k * Math.PI / 4), 4 * Math.sin(k * Math.PI / 4)};
            weights[k] = 1 + k * 3 / 7.0;
        }
        return GaussianMixture.isotropic(0.5, centres, weights);
    }

    /** Covariance 0.6^|i − j|: variances from ¼ to 4 along its axes. */
    private static Gaussian correlated(int d) {
        double[][] covariance = new double[d][d];
        for (int i = 0; i < d; i++) {
            for (int j = 0; j < d; j++) {
                covariance[i][j] = Math.pow(0.6, Math.abs(i - j));
            }
        }
        return new Gaussian(new double[d], covariance);
    }

    static List<Case> targets() {
        return List.of(
                new Case("gaussian 20", correlated(20), Box.square(0, 0, 1), 0.12, 0.5),
                new Case("funnel", new Funnel(2, 0.5), new Box(-5, 5, -25, 25), 0.4, 0.8),
                new Case("banana", new Banana(1.5, 0.4), new Box(-12, 12, -9, 50), 0.3, 0.8),
                new Case("double well", new DoubleWell(2, 1.2, 0.8), Box.square(0, 0, 9), 0.15, 0.5),
                new Case("eight modes", MODES, Box.square(0, 0, 8), 0.15, 0.6),
                new Case("rings", new Rings(List.of(1.0, 3.0), 0.2), Box.square(0, 0, 5), 0.03, 0.31));
    }

    /** A kernel by name, and how many steps are enough to leave a target that is not its own. */
    record Run(String name, Kernel<?> kernel, int steps) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static List<Run> exact(Case c) {
        return List.of(
                new Run("mala", Mala.of(c.mala()), 15),
                new Run("tempered mala", with(TemperedMala.of(c.mala()), "threshold", 0), 15),
                new Run(
                        "tempered mala, noise",
                        with(TemperedMala.of(c.mala()), "threshold", 0, "noise", Math.sqrt(1.8 * c.mala())),
                        15),
                new Run("hmc", Hmc.of(c.hmc(), 3), 8),
                new Run("hmc, mass", new Hmc(c.hmc(), 3, 0.2, c.mass(), 1), 8),
                new Run("jittered hmc, metric", jittered(c), 8),
                new Run("preconditioned mala", jittered(c).withPathLength(0), 15));
    }

    /** With a lower triangular metric near 1. */
    private static JitteredHmc jittered(Case c) {
        List<Double> lower = new ArrayList<>();
        for (int i = 0; i < c.dimension(); i++) {
            for (int j = 0; j <= i; j++) {
                lower.add(i == j ? (i % 2 == 0 ? 0.85 : 1.1) : i == j + 1 ? 0.2 : 0);
            }
        }
        return with(JitteredHmc.of(c.hmc()).withPathLength(4 * c.hmc()), "scales", lower)
                .withSmallSteps(0.125);
    }

    static Stream<Arguments> runs() {
        return targets().stream().flatMap(c -> exact(c).stream().map(run -> Arguments.of(c, run)));
    }

    static Stream<Arguments> twins() {
        return targets().stream()
                .flatMap(c -> Stream.of(
                                new Run(
                                        "mala, no proposal ratio",
                                        new BrokenMala(c.mala(), BrokenMala.Fault.NO_PROPOSAL_RATIO),
                                        15),
                                new Run(
                                        "tempered mala, heating",
                                        with(TemperedMala.of(c.mala()), "threshold", 1, "factor", 1.2),
                                        15),
                                new Run("jittered hmc, no accept step", new Unjudged(jittered(c)), 8),
                                hmc(c, BrokenHmc.Fault.NO_ACCEPT_STEP),
                                hmc(c, BrokenHmc.Fault.WRONG_MOMENTUM),
                                hmc(c, BrokenHmc.Fault.WRONG_SIGN))
                        .map(run -> Arguments.of(c, run)));
    }

    /** A broken twin: goes to wherever its path ends. */
    private record Unjudged(JitteredHmc kernel) implements Posing<Evaluated> {
        @Override
        public Evaluated start(LogDensity target, Tensor x) {
            return kernel.start(target, x);
        }

        @Override
        public Transition<Evaluated> step(Key key, LogDensity target, Evaluated state) {
            return new Transition<>(kernel.path(key, target, state).end(), StepInfo.UNADJUSTED);
        }
    }

    private static Run hmc(Case c, BrokenHmc.Fault fault) {
        return new Run("hmc " + fault, new BrokenHmc(new Hmc(c.hmc(), 3, 0, c.mass(), 1), fault), 8);
    }

    /** Those of every kernel on every target, and the mode weights. */
    private static final double EACH = ALPHA
            / (8
                            * targets().stream()
                                    .mapToInt(c -> TargetChecks.count(c.target()))
                                    .sum()
                    + 1);

    @ParameterizedTest
    @MethodSource("runs")
    void leavesTheTargetAsItIs(Case c, Run run) {
        try (Scope scope = Scope.open()) {
            Tensor start = c.target().draw(Key.of(41), CHAINS, DType.DOUBLE);
            ChainRun walk = ChainRun.run(Key.of(42), run.kernel(), c.target(), start, run.steps());
            assertThat(walk.acceptance().orElseThrow()).isBetween(0.5, 0.9);
            assertThat(TargetChecks.smallestP(c.target(), walk.x())).isGreaterThan(EACH);
        }
    }

    @ParameterizedTest
    @MethodSource("twins")
    void powerTwinsFail(Case c, Run run) {
        try (Scope scope = Scope.open()) {
            Tensor start = c.target().draw(Key.of(41), CHAINS, DType.DOUBLE);
            ChainRun walk = ChainRun.run(Key.of(42), run.kernel(), c.target(), start, run.steps());
            assertThat(TargetChecks.smallestP(c.target(), walk.x())).isLessThan(EACH);
        }
    }

    // ---- replica exchange

    private static final int LADDERS = 10_000;

    private static ReplicaExchange exchange(Case c) {
        return new ReplicaExchange(Mala.of(c.mala()), 3, 2.56, 2);
    }

    @ParameterizedTest
    @MethodSource("targets")
    void replicaExchangeLeavesTheTargetAsItIsAndItsTwinsDoNot(Case c) {
        try (Scope scope = Scope.open()) {
            List<Tensor> rungs = new ArrayList<>();
            for (double temperature : exchange(c).temperatures()) {
                rungs.add(hot(Key.of(43).child(rungs.size()), c, temperature));
            }
            ReplicaExchange.State start = new ReplicaExchange.State(rungs.get(0), Tensors.concat(0, rungs));
            assertThat(exchanged(c, start, c.target())).isGreaterThan(EACH);
            for (double factor : new double[] {-1, 0.5}) { // swaps of the wrong sign, and too hot
                assertThat(exchanged(c, start, new Misread(c.target(), factor))).isLessThan(EACH);
            }
        }
    }

    /** The smallest p-value of the cold replicas after some steps. */
    private static double exchanged(Case c, ReplicaExchange.State start, LogDensity target) {
        ReplicaExchange exchange = exchange(c);
        ReplicaExchange.State state = start;
        for (int step = 0; step < 5; step++) {
            state = exchange.step(Key.of(44).child(step), target, state).state();
        }
        return TargetChecks.smallestP(c.target(), state.x());
    }

    /** Draws of exp(f/T): a wider Gaussian, or by rejection from the box. */
    private static Tensor hot(Key key, Case c, double temperature) {
        if (temperature == 1 || c.target() instanceof Gaussian) {
            return c.target().draw(key, LADDERS, DType.DOUBLE).times(Math.sqrt(temperature));
        }
        Box box = c.box();
        Tensor draws = Tensors.zeros(DType.DOUBLE, Device.CPU, 0, 2);
        for (int batch = 0; draws.size(0) < LADDERS; batch++) {
            Key[] keys = key.child(batch).split(3);
            int n = 100_000;
            Tensor points = Tensors.stack(
                    1,
                    List.of(
                            Tensors.uniform(keys[0], box.xMin(), box.xMax(), DType.DOUBLE, Device.CPU, n),
                            Tensors.uniform(keys[1], box.yMin(), box.yMax(), DType.DOUBLE, Device.CPU, n)));
            Tensor f = c.target().at(points);
            // the greatest of so many is the density's own to three digits
            double[] log = f.minus(f.max()).over(temperature).toDoubles();
            double[] uniform =
                    Tensors.uniform(keys[2], 0, 1, DType.DOUBLE, Device.CPU, n).toDoubles();
            long[] rows = LongStream.range(0, n)
                    .filter(i -> Math.log(uniform[(int) i]) < log[(int) i])
                    .toArray();
            draws = Tensors.concat(0, draws, points.rows(rows));
        }
        return draws.narrow(0, 0, LADDERS);
    }

    /** The target for the inner kernel, which asks for both; but swaps, which ask for f alone, see it through this. */
    private record Misread(LogDensity f, double factor) implements LogDensity {
        @Override
        public Tensor at(Tensor x) {
            return f.at(x).times(factor);
        }

        @Override
        public ValueAndGradient valueAndGradient(Tensor x) {
            return f.valueAndGradient(x);
        }
    }

    // ---- modes

    /** The p-value of the modes' weights, after all chains began in the lightest one. */
    private static double weights(Kernel<?> kernel, int steps) {
        int chains = 2000;
        try (Scope scope = Scope.open()) {
            Tensor x = Gaussian.isotropic(new double[] {4, 0}, 0.5).draw(Key.of(45), chains);
            double[] end = ChainRun.run(Key.of(46), kernel, MODES, x, steps).x().toDoubles();
            int[] found = new int[8];
            for (int i = 0; i < end.length; i += 2) {
                long octant = Math.round(Math.atan2(end[i + 1], end[i]) / (Math.PI / 4));
                found[Math.floorMod(octant, 8)]++;
            }
            double statistic = 0;
            for (int k = 0; k < 8; k++) {
                double expected = chains * (1 + k * 3 / 7.0) / 20;
                statistic += (found[k] - expected) * (found[k] - expected) / expected;
            }
            return ChiSquaredDistribution.of(7).survivalProbability(statistic);
        }
    }

    /** Of a mode's draws 2·Φ(−3.06) = 0.2 % lie nearer to a neighbour: too few to matter among 2000. */
    @Test
    void replicaExchangeFindsTheWeightsOfEightModesFromOneAndMalaDoesNot() {
        Mala mala = Mala.of(0.15);
        assertThat(weights(new ReplicaExchange(mala, 4, 15, 4), 50)).isGreaterThan(EACH);
        assertThat(weights(mala, 200)).isLessThan(EACH);
    }
}

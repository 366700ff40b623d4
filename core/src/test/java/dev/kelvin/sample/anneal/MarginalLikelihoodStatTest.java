package dev.kelvin.sample.anneal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.energy.Likelihood;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.math.CholeskyFactor;
import dev.kelvin.nn.Layout;
import dev.kelvin.nn.Network;
import dev.kelvin.nn.Parameters;
import dev.kelvin.sample.Ladder;
import dev.kelvin.sample.anneal.MarginalLikelihood.Estimate;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where everything is Gaussian log p(x) is known: x = Wz + b + σξ, z ~ N(0, I). */
class MarginalLikelihoodStatTest {
    private static final int SIZE = 3;
    private static final int WIDTH = 6;
    private static final double NOISE = 0.4;
    private static final int SAMPLES = 24;

    /** Wz + b. */
    private record Affine() implements Network {
        @Override
        public Layout layout() {
            return new Layout.Builder().linear("layer", SIZE, WIDTH).build();
        }

        @Override
        public Tensor apply(Parameters parameters, Tensor z) {
            return z.affine(parameters.transposed("layer.weight"), parameters.get("layer.bias"));
        }
    }

    /** N(0, I) without its constant: the prior need not be normalised. */
    private static final LogDensity PRIOR =
            z -> z.square().sumPerSample().times(-0.5).plus(7);

    private record Case(Parameters parameters, Tensor x, double truth, double[] each) {
        static Case of(int seed) {
            Key[] keys = Key.of(seed).split(3);
            Parameters parameters = new Affine().layout().init(keys[0], DType.DOUBLE);
            parameters.flat().timesInPlace(1.5);
            Tensor z = Tensors.normal(keys[1], DType.DOUBLE, Device.CPU, SAMPLES, SIZE);
            Tensor x = new Affine()
                    .apply(parameters, z)
                    .plus(Tensors.normal(keys[2], DType.DOUBLE, Device.CPU, SAMPLES, WIDTH), NOISE);
            double[] weights = parameters.get("layer.weight").toDoubles();
            double[] bias = parameters.get("layer.bias").toDoubles();
            double[][] covariance = new double[WIDTH][WIDTH];
            for (int i = 0; i < WIDTH; i++) {
                for (int j = 0; j < WIDTH; j++) {
                    for (int k = 0; k < SIZE; k++) {
                        covariance[i][j] += weights[i * SIZE + k] * weights[j * SIZE + k];
                    }
                }
                covariance[i][i] += NOISE * NOISE;
            }
            CholeskyFactor factor = CholeskyFactor.of(covariance);
            double[] values = x.toDoubles();
            double[] each = new double[SAMPLES];
            for (int s = 0; s < SAMPLES; s++) {
                double[] off = new double[WIDTH];
                for (int i = 0; i < WIDTH; i++) {
                    off[i] = values[s * WIDTH + i] - bias[i];
                }
                each[s] = -0.5 * (factor.quadratic(off) + factor.logDeterminant() + WIDTH * Math.log(2 * Math.PI));
            }
            return new Case(parameters, x, Arrays.stream(each).average().orElseThrow(), each);
        }

        MarginalLikelihood estimate(int seed, int count, double power, int chains, int steps) {
            Key[] keys = Key.of(100 + seed).split(2);
            Tensor start = Tensors.normal(keys[0], DType.DOUBLE, Device.CPU, (long) SAMPLES * chains, SIZE);
            return MarginalLikelihood.of(
                    keys[1],
                    PRIOR,
                    new Likelihood(new Affine(), parameters, x, NOISE),
                    start,
                    new MarginalLikelihood.Settings(Ladder.of(count, power), chains, steps, 0.3),
                    done -> {});
        }
    }

    /** Within 0.05 nat of the truth in the mean over held-out samples, and so is importance sampling. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4})
    void findsTheLikelihood(int seed) {
        try (Scope scope = Scope.open()) {
            Case known = Case.of(seed);
            MarginalLikelihood found = known.estimate(seed, 30, 3, 64, 24);
            assertThat(found.mean(Estimate::integrated)).isCloseTo(known.truth, within(0.05));
            assertThat(found.mean(Estimate::importance)).isCloseTo(known.truth, within(0.05));
            assertThat(found.mean(Estimate::corrected)).isCloseTo(known.truth, within(0.05));
        }
    }

    /** For as many steps as are said to be needed, and not for one less. */
    @Test
    void correctsWithEnoughDraws() {
        int steps = MarginalLikelihood.Settings.stepsForCorrection(8, SIZE);
        assertThat(MarginalLikelihood.Settings.stepsForCorrection(16, 8)).isEqualTo(67);
        try (Scope scope = Scope.open()) {
            Case known = Case.of(0);
            assertThat(known.estimate(0, 5, 3, 8, steps).mean(Estimate::corrected))
                    .isFinite();
            assertThat(known.estimate(0, 5, 3, 8, steps - 1).mean(Estimate::corrected))
                    .isNaN();
        }
    }

    /** The integrand goes with t: it rises from 0 to 1, and its trapezoids are the integral. */
    @Test
    void theIntegrandRises() {
        try (Scope scope = Scope.open()) {
            MarginalLikelihood found = Case.of(0).estimate(0, 10, 3, 16, 24);
            double[] t = found.levels().stream()
                    .mapToDouble(MarginalLikelihood.Level::t)
                    .toArray();
            double[] e = found.levels().stream()
                    .mapToDouble(MarginalLikelihood.Level::mean)
                    .toArray();
            assertThat(t).containsExactly(Ladder.of(10, 3).t());
            assertThat(e[10]).isGreaterThan(e[0]);
            assertThat(new Ladder(t).integral(e)).isCloseTo(found.mean(Estimate::integrated), within(1e-9));
        }
    }

    /** Over five seeds: more temperatures are better, and at ten the correction is better than none. */
    @Test
    void errsLessWithMoreTemperaturesAndWithTheCorrection() {
        double[] plain = new double[3];
        double corrected = 0;
        int[] counts = {5, 10, 20};
        for (int seed = 0; seed < 5; seed++) {
            try (Scope scope = Scope.open()) {
                Case known = Case.of(seed);
                for (int i = 0; i < counts.length; i++) {
                    MarginalLikelihood found = known.estimate(seed, counts[i], 3, 64, 24);
                    plain[i] += Math.abs(found.mean(Estimate::integrated) - known.truth) / 5;
                    if (counts[i] == 10) {
                        corrected += Math.abs(found.mean(Estimate::corrected) - known.truth) / 5;
                    }
                }
            }
        }
        assertThat(plain[1]).isLessThan(plain[0]);
        assertThat(plain[2]).isLessThan(plain[1]);
        assertThat(corrected).isLessThan(plain[1]);
    }
}

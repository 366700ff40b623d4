package dev.kelvin.sample.anneal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.energy.Gaussian;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.energy.analytic.GaussianMixture;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.OneThread;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * log Z of mixtures whose log Z is 0. Alpha: a bound has three standard errors beyond the mean of the log-weights, which is on
 * its right side by half their variance anyway, so each is wrong less often than once in 740; there are 8 in all.
 */
@ExtendWith(OneThread.class)
class PartitionFunctionStatTest {
    /** Modes some standard deviations apart, each with correlations of its own. */
    private static GaussianMixture mixture(int columns, int modes, double apart) {
        RandomGenerator random = Key.of(columns).stream();
        List<Gaussian> components = new ArrayList<>();
        double[] weights = new double[modes];
        for (int k = 0; k < modes; k++) {
            double[] mean =
                    random.doubles(columns).map(u -> apart * (2 * u - 1)).toArray();
            double correlation = 0.3 * k;
            double[][] covariance = new double[columns][columns];
            for (int i = 0; i < columns; i++) {
                for (int j = 0; j < columns; j++) {
                    covariance[i][j] = Math.pow(correlation, Math.abs(i - j));
                }
            }
            components.add(new Gaussian(mean, covariance));
            weights[k] = 1 + k;
        }
        return new GaussianMixture(components, weights);
    }

    private static PartitionFunction of(
            GaussianMixture target, LogDensity f, Optional<Tensor> samples, double tolerance, long work) {
        Gaussian base = new Gaussian(target.mean(), target.covariance());
        return PartitionFunction.of(
                Key.of(1), f, base, samples, new PartitionFunction.Settings(tolerance, 200, work), Device.CPU);
    }

    @Test
    void bracketsTheNormaliserOfTenColumns() {
        GaussianMixture target = mixture(10, 3, 2);
        try (Scope scope = Scope.open()) {
            PartitionFunction found = of(target, target, Optional.of(target.draw(Key.of(2), 200)), 0.3, 400_000);
            assertThat(found.lower()).isLessThan(0);
            assertThat(found.upper()).isPositive();
            assertThat(found.gap()).isLessThan(0.3);
            assertThat(found.estimate()).isBetween(found.lower(), found.upper());
            assertThat(found.verdict()).isEqualTo(PartitionFunction.Verdict.KNOWN);
            PartitionFunction own = of(target, target, Optional.empty(), 0.3, 400_000);
            assertThat(own.lower()).isLessThan(0);
            assertThat(own.upper()).isPositive();
            assertThat(own.gap()).isLessThan(0.3);
        }
    }

    @Test
    void bracketsTheNormaliserOfFiftyColumns() {
        GaussianMixture target = mixture(50, 3, 1);
        try (Scope scope = Scope.open()) {
            PartitionFunction found = of(target, target, Optional.of(target.draw(Key.of(2), 200)), 2, 400_000);
            assertThat(found.lower()).isLessThan(0);
            assertThat(found.upper()).isPositive();
            assertThat(found.gap()).isLessThan(2);
        }
    }

    /** Where the work does not do, or the samples are not the model's, no number is given out as known. */
    @Test
    void saysWhenItDoesNotKnow() {
        GaussianMixture hard = mixture(50, 3, 4);
        try (Scope scope = Scope.open()) {
            PartitionFunction little = of(hard, hard, Optional.of(hard.draw(Key.of(2), 200)), 0.1, 1);
            assertThat(little.verdict()).isEqualTo(PartitionFunction.Verdict.NOT_KNOWN);
        }
    }

    /** The same key gives the same numbers, whatever the clock. */
    @Test
    void quickOnesAreTooLowRatherThanTooHighAndRepeat() {
        GaussianMixture target = mixture(10, 3, 2);
        Gaussian base = new Gaussian(target.mean(), target.covariance());
        AnnealedImportance one = PartitionFunction.quick(Key.of(3), target, base, 100, 50, Device.CPU);
        AnnealedImportance again = PartitionFunction.quick(Key.of(3), target, base, 100, 50, Device.CPU);
        assertThat(one.logWeights()).containsExactly(again.logWeights());
        assertThat(one.lowerBound()).isNegative();
        assertThat(one.estimate()).isCloseTo(0, within(0.5));
    }

    /** Of exp(w) with Gaussian w of variance s² both ways the ratio is known: log-weights −s²/2 + c and −s²/2 − c. */
    @Test
    void bennettsRatioIsExactForGaussianWeights() {
        double c = 1.7;
        double s = 1.5;
        RandomGenerator random = Key.of(4).stream();
        int n = 20_000;
        double[] forwards = new double[n];
        double[] backwards = new double[n];
        Arrays.setAll(forwards, i -> c - s * s / 2 + s * random.nextGaussian());
        Arrays.setAll(backwards, i -> -c - s * s / 2 + s * random.nextGaussian());
        // its standard error is below s/sqrt(n) = 0.011
        assertThat(PartitionFunction.bennett(forwards, backwards)).isCloseTo(c, within(0.05));
    }

    @Test
    void refusesSettingsThatMakeNoSense() {
        assertThatThrownBy(() -> new PartitionFunction.Settings(0, 100, 100)).hasMessageContaining("tolerance");
        assertThatThrownBy(() -> new PartitionFunction.Settings(1, 9, 100)).hasMessageContaining("chains");
    }
}

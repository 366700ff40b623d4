package dev.kelvin.metric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.tensor.Key;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OutOfDistributionTest {
    /** Whole numbers, so that many scores are equal. */
    private static double[] scores(Key key, int n, double shift) {
        RandomGenerator random = key.stream();
        return DoubleStream.generate(() -> Math.rint(3 * (random.nextGaussian() + shift)))
                .limit(n)
                .toArray();
    }

    private static double count(double[] scores, double threshold) {
        return Arrays.stream(scores).filter(score -> score >= threshold).count();
    }

    /** Pair by pair. */
    private static double auroc(double[] in, double[] out) {
        double sum = 0;
        for (double a : in) {
            for (double b : out) {
                sum += a > b ? 1 : a == b ? 0.5 : 0;
            }
        }
        return sum / in.length / out.length;
    }

    private static double[] thresholds(double[] in, double[] out) {
        double[] ascending = DoubleStream.concat(Arrays.stream(in), Arrays.stream(out))
                .distinct()
                .sorted()
                .toArray();
        return DoubleStream.iterate(ascending.length - 1, i -> i >= 0, i -> i - 1)
                .map(i -> ascending[(int) i])
                .toArray();
    }

    private static double averagePrecision(double[] positives, double[] negatives) {
        double sum = 0;
        double recall = 0;
        for (double threshold : thresholds(positives, negatives)) {
            double found = count(positives, threshold);
            sum += (found / positives.length - recall) * found / (found + count(negatives, threshold));
            recall = found / positives.length;
        }
        return sum;
    }

    private static double fprAt95(double[] in, double[] out) {
        double least = 1;
        for (double threshold : thresholds(in, out)) {
            if (20 * count(in, threshold) >= 19 * in.length) {
                least = Math.min(least, count(out, threshold) / out.length);
            }
        }
        return least;
    }

    private static double[] negated(double[] scores) {
        return Arrays.stream(scores).map(score -> -score).toArray();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void equalsThePlainFigures(long seed) {
        Key[] keys = Key.of(seed).split(2);
        double[] in = scores(keys[0], 20 * (int) seed, 0.4 * seed - 1);
        double[] out = scores(keys[1], 37, 0);
        OutOfDistribution found = OutOfDistribution.of(in, out);
        assertThat(found.auroc()).isCloseTo(auroc(in, out), within(1e-13));
        assertThat(found.auprIn()).isCloseTo(averagePrecision(in, out), within(1e-13));
        assertThat(found.auprOut()).isCloseTo(averagePrecision(negated(out), negated(in)), within(1e-13));
        assertThat(found.fprAt95()).isCloseTo(fprAt95(in, out), within(1e-15));
        // the other way round everything but the tie halves is turned
        assertThat(OutOfDistribution.of(out, in).auroc()).isCloseTo(1 - found.auroc(), within(1e-13));
        // only the order counts
        double[] stretchedIn = Arrays.stream(in).map(Math::exp).toArray();
        double[] stretchedOut = Arrays.stream(out).map(Math::exp).toArray();
        assertThat(OutOfDistribution.of(stretchedIn, stretchedOut)).isEqualTo(found);
    }

    /** The example of scikit-learn's average_precision_score and roc_auc_score: .8333 and .75. */
    @Test
    void fourScoresByHand() {
        OutOfDistribution found = OutOfDistribution.of(new double[] {.35, .8}, new double[] {.1, .4});
        assertThat(found.auroc()).isEqualTo(0.75);
        assertThat(found.auprIn()).isCloseTo(5 / 6.0, within(1e-15)); // ½ · 1 + ½ · ⅔
        assertThat(found.auprOut()).isCloseTo(5 / 6.0, within(1e-15));
        assertThat(found.fprAt95()).isEqualTo(0.5);
    }

    @Test
    void extremes() {
        double[] high = {3, 4, Double.POSITIVE_INFINITY};
        double[] low = {1, Double.NEGATIVE_INFINITY};
        assertThat(OutOfDistribution.of(high, low)).isEqualTo(new OutOfDistribution(1, 1, 1, 0));
        OutOfDistribution turned = OutOfDistribution.of(low, high);
        assertThat(turned.auroc()).isEqualTo(0);
        assertThat(turned.fprAt95()).isEqualTo(1);
        OutOfDistribution equal = OutOfDistribution.of(new double[] {0, -0.0, 0}, new double[] {-0.0});
        assertThat(equal).isEqualTo(new OutOfDistribution(0.5, 0.75, 0.25, 1));
    }

    @Test
    void inputsAreNotSorted() {
        double[] in = {2, 1, 3};
        OutOfDistribution.of(in, new double[] {0});
        assertThat(in).containsExactly(2, 1, 3);
    }

    @Test
    void notANumberIsReported() {
        OutOfDistribution found = OutOfDistribution.of(new double[] {1, Double.NaN}, new double[] {Double.NaN});
        assertThat(found.auroc()).isNaN();
        assertThat(found.fprAt95()).isNaN();
    }

    @Test
    void mistakesAreNamed() {
        assertThatThrownBy(() -> OutOfDistribution.of(new double[3], new double[0]))
                .hasMessageContaining("found 3 of the data and 0 of others");
    }
}

package dev.kelvin.metric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.InScope;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.OneThread;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith({OneThread.class, InScope.class})
class CalibrationTest {
    private static final int N = 80;
    private static final int CLASSES = 3;

    private static Tensor logits() {
        return Tensors.normal(Key.of(1), DType.DOUBLE, Device.CPU, N, CLASSES).times(1.5);
    }

    private static long[] labels() {
        RandomGenerator random = Key.of(2).stream();
        long[] labels = new long[N];
        Arrays.setAll(labels, i -> random.nextInt(CLASSES));
        return labels;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 9, 80})
    void batchesGiveThePlainFigures(int size) {
        Calibration calibration = new Calibration(CLASSES);
        for (int start = 0; start < N; start += size) {
            int end = Math.min(N, start + size);
            calibration.add(logits().narrow(0, start, end - start), Arrays.copyOfRange(labels(), start, end));
        }
        assertPlain(calibration.report());
    }

    private static void assertPlain(Calibration.Report found) {
        double[] p = logits().softmax(1).toDoubles();
        long[] y = labels();
        double accuracy = 0;
        double nll = 0;
        double brier = 0;
        double[][] bins = new double[15][3]; // count, confidences, right
        for (int i = 0; i < N; i++) {
            double[] row = Arrays.copyOfRange(p, i * CLASSES, (i + 1) * CLASSES);
            double confidence = Arrays.stream(row).max().orElseThrow();
            double right = row[(int) y[i]] == confidence ? 1 : 0;
            accuracy += right / N;
            nll -= Math.log(row[(int) y[i]]) / N;
            for (int k = 0; k < CLASSES; k++) {
                brier += Math.pow(row[k] - (k == y[i] ? 1 : 0), 2) / N;
            }
            for (int b = 0; b < 15; b++) {
                if (confidence > b / 15.0 && confidence <= (b + 1) / 15.0) {
                    bins[b][0]++;
                    bins[b][1] += confidence;
                    bins[b][2] += right;
                }
            }
        }
        double error = 0;
        for (int b = 0; b < 15; b++) {
            Reliability.Bin bin = found.bins().get(b);
            assertThat(bin.count()).isEqualTo((long) bins[b][0]);
            assertThat(bin.low()).isEqualTo(b / 15.0);
            assertThat(bin.high()).isEqualTo((b + 1) / 15.0);
            if (bin.count() > 0) {
                assertThat(bin.confidence()).isCloseTo(bins[b][1] / bins[b][0], within(1e-13));
                assertThat(bin.accuracy()).isCloseTo(bins[b][2] / bins[b][0], within(1e-13));
                error += bins[b][0] / N * Math.abs(bins[b][1] / bins[b][0] - bins[b][2] / bins[b][0]);
            } else {
                assertThat(bin.confidence()).isNaN();
                assertThat(bin.accuracy()).isNaN();
            }
        }
        assertThat(found.accuracy()).isCloseTo(accuracy, within(1e-13));
        assertThat(Calibration.NLL.value(found.figures())).isCloseTo(nll, within(1e-13));
        assertThat(Calibration.BRIER.value(found.figures())).isCloseTo(brier, within(1e-13));
        assertThat(Calibration.ECE.value(found.figures())).isCloseTo(error, within(1e-13));
    }

    /** An edge belongs to the bin below it, for every number of bins and however the division is rounded. */
    @Test
    void edgesBelongBelow() {
        for (int bins = 1; bins <= 50; bins++) {
            Reliability reliability = new Reliability(bins);
            reliability.add(0, true);
            for (int b = 0; b < bins; b++) {
                reliability.add((b + 1.0) / bins, true);
                reliability.add(Math.nextDown((b + 1.0) / bins), false);
            }
            for (int b = 0; b < bins; b++) {
                assertThat(reliability.bins().get(b).count())
                        .as(b + " of " + bins)
                        .isEqualTo(b == 0 ? 3 : 2);
            }
        }
    }

    @Test
    void perfectAndHopeless() {
        Calibration perfect = new Calibration(2);
        perfect.add(Tensors.eye(2, DType.FLOAT).times(1e4), 0, 1);
        Calibration.Report found = perfect.report();
        assertThat(figures(found)).containsExactly(1, 0, 0, 0);
        Calibration hopeless = new Calibration(2);
        hopeless.add(Tensors.eye(2, DType.FLOAT).times(1e4), 1, 0);
        found = hopeless.report();
        assertThat(figures(found)).containsExactly(0, 1e4, 2, 1);
    }

    /** A perfect classifier's interval reaches down to 0; one that is .2 too sure has an interval around that. */
    @Test
    void intervalsOfTheCalibrationError() {
        int covered = 0;
        int reachZero = 0;
        for (int round = 0; round < 200; round++) {
            RandomGenerator random = Key.of(7).child(round).stream();
            Reliability perfect = new Reliability(15);
            Reliability tooSure = new Reliability(15);
            for (int i = 0; i < 359; i++) {
                double confidence = 0.5 + random.nextDouble() / 2;
                perfect.add(confidence, random.nextDouble() < confidence);
                tooSure.add(confidence, random.nextDouble() < confidence - 0.2);
            }
            reachZero += perfect.interval()[0] == 0 ? 1 : 0;
            double[] interval = tooSure.interval();
            covered += interval[0] <= 0.2 && 0.2 <= interval[1] ? 1 : 0;
            assertThat(tooSure.interval()).containsExactly(interval);
            assertThat(tooSure.overconfidence()).isCloseTo(0.2, within(0.15));
            assertThat(Math.abs(perfect.overconfidence())).isLessThanOrEqualTo(perfect.expectedError() + 1e-12);
        }
        // 95 % nominal; 200 rounds have σ = 1.5 %: 90 % is 3σ, and a bootstrap's interval is a little narrow
        assertThat(reachZero / 200.0).isGreaterThan(0.85);
        assertThat(covered / 200.0).isGreaterThan(0.85);
    }

    /** Many predictions in a bin are drawn from a normal distribution, with the same width: √(p(1 − p)/n). */
    @Test
    void intervalsOfManyPredictions() {
        Reliability many = new Reliability(1);
        for (int i = 0; i < 40_000; i++) {
            many.add(0.7, i % 2 == 0);
        }
        double half = 1.96 * 0.5 / 200; // √(.25/40 000)
        assertThat(many.interval()).containsExactly(new double[] {0.2 - half, 0.2 + half}, within(0.1 * half));
        assertThat(new Reliability(3).interval()).containsOnly(Double.NaN);
    }

    private static double[] figures(Calibration.Report found) {
        return Stream.of(Calibration.ACCURACY, Calibration.NLL, Calibration.BRIER, Calibration.ECE)
                .mapToDouble(figure -> figure.value(found.figures()))
                .toArray();
    }

    /** Where p rounds to 0 the logits still know its logarithm. */
    @Test
    void logitsKeepSmallProbabilities() {
        Calibration calibration = new Calibration(2);
        calibration.add(Tensors.of(new float[] {1000, 0}, 1, 2), 1);
        assertThat(Calibration.NLL.value(calibration.report().figures())).isEqualTo(1000);
    }

    @Test
    void notANumberIsReported() {
        Calibration calibration = new Calibration(2);
        calibration.add(Tensors.of(new float[] {1, 0, Float.NaN, 0, 0, -1 / 0f}, 3, 2), 1, 0, 1);
        Calibration.Report found = calibration.report();
        assertThat(figures(found)).containsOnly(Double.NaN);
    }

    @Test
    void mistakesAreNamed() {
        Calibration calibration = new Calibration(3);
        Tensor two = Tensors.zeros(DType.FLOAT, Device.CPU, 2, 3);
        assertThatThrownBy(() -> calibration.add(two, 1))
                .hasMessage("each sample takes a label; found 2 samples and 1 labels");
        assertThatThrownBy(() -> calibration.add(two, 1, 3)).hasMessage("labels of 3 classes run from 0 to 2; found 3");
        assertThatThrownBy(calibration::report).hasMessage("a calibration takes one sample or more, found none");
        assertThatThrownBy(() -> new Reliability(5).add(1.1, true))
                .hasMessageContaining("confidence must lie between 0 and 1");
    }

    /** The golden value over 10 bins is .3783; over 20, .32 is alone, .37 and .39 share (.35, .4], and .61 and .65 (.6, .65]. */
    @Test
    void theErrorOverTwentyBinsIsAFigureOfItsOwn() {
        double[] sure = {0.32, 0.37, 0.39, 0.61, 0.65, 0.91};
        boolean[] right = {true, true, false, false, false, true};
        Calibration calibration = new Calibration(4);
        for (int i = 0; i < sure.length; i++) {
            double rest = (1 - sure[i]) / 3;
            calibration.add(
                    Tensors.of(new double[] {sure[i], rest, rest, rest}, 1, 4).log(), right[i] ? 0 : 1);
        }
        Calibration.Report report = calibration.report();
        double expected = (0.68 + Math.abs(1 - 0.76) + 1.26 + 0.09) / 6;
        assertThat(report.figures().get("ece_20")).isCloseTo(expected, within(1e-12));
    }
}

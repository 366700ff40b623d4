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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith({OneThread.class, InScope.class})
class InceptionScoreTest {
    private static final int N = 50;
    private static final int CLASSES = 4;

    private static Tensor logits() {
        return Tensors.normal(Key.of(1), DType.DOUBLE, Device.CPU, N, CLASSES).times(2);
    }

    /** exp of the mean of KL(p(y|x)‖p(y)) over rows first, first + step, .... */
    private static double plain(double[] p, int first, int step) {
        double[] marginal = new double[CLASSES];
        int n = 0;
        for (int i = first; i < N; i += step) {
            n++;
            for (int k = 0; k < CLASSES; k++) {
                marginal[k] += p[i * CLASSES + k];
            }
        }
        double sum = 0;
        for (int i = first; i < N; i += step) {
            for (int k = 0; k < CLASSES; k++) {
                double q = p[i * CLASSES + k];
                sum += q * Math.log(q / (marginal[k] / n));
            }
        }
        return Math.exp(sum / n);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 50})
    void batchesOfAnySizeGiveThePlainSum(int size) {
        InceptionScore streamed = new InceptionScore(CLASSES, 3);
        for (int start = 0; start < N; start += size) {
            streamed.addLogits(logits().narrow(0, start, Math.min(size, N - start)));
        }
        double[] p = logits().softmax(1).toDoubles();
        double[] scores = {plain(p, 0, 3), plain(p, 1, 3), plain(p, 2, 3)};
        double mean = Arrays.stream(scores).average().orElseThrow();
        double squares = Arrays.stream(scores).map(v -> (v - mean) * (v - mean)).sum();
        InceptionScore.Score found = streamed.score();
        assertThat(found.mean()).isCloseTo(mean, within(1e-12));
        assertThat(found.spread()).isCloseTo(Math.sqrt(squares / 3), within(1e-12));
        assertThat(found.samples()).isEqualTo(N);
        assertThat(found.splits()).isEqualTo(3);
    }

    @Test
    void rangesFromOneToTheNumberOfClasses() {
        InceptionScore best = new InceptionScore(4, 1);
        best.add(Tensors.eye(4, DType.FLOAT)); // zeros have no logarithm, and need none
        assertThat(best.score().mean()).isCloseTo(4, within(1e-14));
        assertThat(best.score().spread()).isNaN();
        InceptionScore worst = new InceptionScore(4, 1);
        worst.add(Tensors.full(0.25, DType.FLOAT, Device.CPU, 6, 4));
        assertThat(worst.score().mean()).isCloseTo(1, within(1e-14));
    }

    @Test
    void notANumberIsReported() {
        InceptionScore score = new InceptionScore(2, 1);
        score.add(Tensors.of(new double[] {.5, .5, Double.NaN, 1, .2, .8}, 3, 2));
        score.addLogits(Tensors.of(new double[] {1 / 0., 2, 1, 2}, 2, 2));
        assertThat(score.score().mean()).isNaN();
        assertThat(score.score().notFinite()).isEqualTo(2);
    }

    @Test
    void mistakesAreNamed() {
        InceptionScore score = new InceptionScore(3);
        assertThatThrownBy(() -> score.add(Tensors.of(new double[] {.5, .5}, 1, 2)))
                .hasMessage("there are 3 classes; found a batch with 2");
        assertThatThrownBy(() -> score.add(Tensors.of(new double[] {.5, .2, .1}, 1, 3)))
                .hasMessageContaining("row 0 is not a distribution over classes: it sums to 0.7999")
                .hasMessageEndingWith("Are these logits?");
        assertThatThrownBy(() -> score.add(Tensors.of(new double[] {.8, .4, -.2}, 1, 3)))
                .hasMessageContaining("it has negative numbers");
        assertThatThrownBy(() -> score.add(Tensors.of(new double[] {.8, .4, -.2})))
                .hasMessageContaining("probabilities are [n, classes]");
        assertThatThrownBy(score::score)
                .hasMessage("an Inception score in 10 splits takes 20 or more samples, found 0");
    }
}

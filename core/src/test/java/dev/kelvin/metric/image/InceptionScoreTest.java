package dev.kelvin.metric.image;

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
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith({OneThread.class, InScope.class})
class InceptionScoreTest {
    private static final int N = 50;
    private static final int CLASSES = 4;
    private static final int SAMPLES = 6000;
    private static final int BATCH = 256;

    private static Tensor logits() {
        return Tensors.normal(Key.of(1), DType.DOUBLE, Device.CPU, N, CLASSES).times(2);
    }

    /** exp of the mean of KL(p(y|x)‖p(y)). */
    private static double plain(double[] p) {
        double[] marginal = new double[CLASSES];
        for (int i = 0; i < p.length; i++) {
            marginal[i % CLASSES] += p[i] / N;
        }
        double sum = 0;
        for (int i = 0; i < p.length; i++) {
            sum += p[i] * Math.log(p[i] / marginal[i % CLASSES]);
        }
        return Math.exp(sum / N);
    }

    private static double streamed(int size, int splits) {
        InceptionScore streamed = new InceptionScore(splits);
        for (int start = 0; start < N; start += size) {
            streamed.add(logits().narrow(0, start, Math.min(size, N - start)));
        }
        return streamed.score();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 50})
    void batchesOfAnySizeGiveTheSameSum(int size) {
        assertThat(streamed(size, 1)).isCloseTo(plain(logits().softmax(1).toDoubles()), within(1e-12));
        assertThat(streamed(size, 3)).isEqualTo(streamed(N, 3));
    }

    /** Logits of one certain class each: the others' probabilities are 0. */
    private static Tensor certain(int classes) {
        return Tensors.eye(classes, DType.FLOAT).times(1e4);
    }

    /** The score that perfect samples get whose classes come in this order. */
    private static double perfect(int classes, int splits, IntUnaryOperator order) {
        InceptionScore score = new InceptionScore(splits);
        Tensor each = certain(classes);
        score.add(each.rows(
                IntStream.range(0, SAMPLES).map(order).mapToLong(label -> label).toArray()));
        return score.score();
    }

    /**
     * However their classes are ordered, also where the order meets the splits. A split of n samples in random order would
     * lose (classes − 1)/2n of its logarithm, here 0.7 % for ten classes and 10 % for a hundred.
     */
    @ParameterizedTest
    @ValueSource(ints = {2, 5, 10, 20, 100})
    void perfectSamplesOfAllClassesScoreTheirNumber(int classes) {
        double lost = Math.exp(-1.5 * (classes - 1) / (2.0 * SAMPLES / 10));
        assertThat(perfect(classes, 10, i -> i % classes)).as("in turn").isBetween(classes * lost, classes + 1e-9);
        assertThat(perfect(classes, 10, i -> i % BATCH % classes))
                .as("in turn in each batch")
                .isBetween(classes * lost * 0.99, classes + 1e-9); // batches do not end with the last class
        assertThat(perfect(classes, 10, i -> i * classes / SAMPLES))
                .as("sorted")
                .isBetween(classes * lost, classes + 1e-9);
    }

    @Test
    void tenClassesInTurnScoreTen() {
        assertThat(perfect(10, 10, i -> i % 10)).isCloseTo(10, within(1e-9));
    }

    @Test
    void rangesFromOneToTheNumberOfClasses() {
        InceptionScore best = new InceptionScore(1);
        best.add(certain(4)); // zeros have no logarithm, and need none
        assertThat(best.score()).isCloseTo(4, within(1e-14));
        InceptionScore worst = new InceptionScore(1);
        worst.add(Tensors.full(0.25, DType.FLOAT, Device.CPU, 6, 4));
        assertThat(worst.score()).isCloseTo(1, within(1e-14));
    }

    @Test
    void notANumberIsReported() {
        InceptionScore score = new InceptionScore(1);
        score.add(Tensors.of(new double[] {.5, .5, .2, .8}, 2, 2));
        score.add(Tensors.of(new double[] {1 / 0., 2, 1, 2}, 2, 2));
        assertThat(score.score()).isNaN();
    }

    @Test
    void mistakesAreNamed() {
        InceptionScore score = new InceptionScore(10);
        assertThatThrownBy(score::score)
                .hasMessage("an Inception score in 10 splits takes 20 or more samples, found 0");
        score.add(Tensors.of(new double[] {.8, .4, -.2}, 1, 3));
        assertThatThrownBy(() -> score.add(Tensors.of(new double[] {.5, .5}, 1, 2)))
                .hasMessage("there are 3 classes; found a batch with 2");
        assertThatThrownBy(() -> score.add(Tensors.of(new double[] {.8, .4, -.2})))
                .hasMessageContaining("logits are [n, classes]");
    }
}

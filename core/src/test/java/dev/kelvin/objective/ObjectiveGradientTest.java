package dev.kelvin.objective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.tensor.Key;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Gradients with respect to f against central differences in double. */
class ObjectiveGradientTest {
    /** With the scale on which each changes. */
    static Stream<Arguments> objectives() {
        Stream<Arguments> robust = Stream.of(1e-8, 1e-6, 1e-4, 0.01, 0.3, 0.5, 1.0, -1e-8, -1e-3, -0.5, -2.0)
                .map(beta -> Arguments.of(new Robust(beta), beta));
        // beside a loss of size 1/β the squares of a tiny β would be lost in rounding
        Stream<Arguments> squares = Stream.of(
                        new Contrastive(), new Robust(0.01), new Robust(0.5), new Robust(1), new Robust(-0.5))
                .map(objective -> Arguments.of(objective.plusSquares(0.1), 1.0));
        return Stream.of(Stream.of(Arguments.of(new Contrastive(), 1.0)), robust, squares)
                .flatMap(arguments -> arguments);
    }

    private static double[] draws(RandomGenerator random, int n) {
        return random.doubles(n, -3, 3).toArray();
    }

    /**
     * The error's length over the gradient's. The loss changes over distances of 1/β in f and is of that size itself, so that with
     * h = 1e-4/β truncation is about 1e-8/6 and rounding 1e-16/1e-4 of the gradient, whatever β.
     */
    private static double error(Objective objective, Loss claimed, double[] f, double[] g, double scale) {
        double h = 1e-4 / Math.abs(scale);
        double wrong = 0;
        double length = 0;
        for (int i = 0; i < f.length + g.length; i++) {
            double[] own = i < f.length ? f : g;
            int at = i < f.length ? i : i - f.length;
            double before = own[at];
            own[at] = before + h;
            double up = objective.of(f, g).value();
            own[at] = before - h;
            double down = objective.of(f, g).value();
            own[at] = before;
            double gradient = (i < f.length ? claimed.positiveGradient() : claimed.negativeGradient())[at];
            wrong = Math.hypot(wrong, (up - down) / (2 * h) - gradient);
            length = Math.hypot(length, gradient);
        }
        return wrong / length;
    }

    @ParameterizedTest
    @MethodSource("objectives")
    void agreesWithDifferences(Objective objective, double scale) {
        RandomGenerator random = Key.of(61).stream();
        for (int round = 0; round < 10; round++) {
            double[] f = draws(random, 5);
            double[] g = draws(random, 7);
            assertThat(error(objective, objective.of(f, g), f, g, scale)).isLessThan(1e-6);
        }
    }

    /** Without the positive among the negatives the loss is LSE_j(βf₋)/β − mean f₊, which has a gradient of its own. */
    @ParameterizedTest
    @ValueSource(doubles = {1e-8, 1e-4, 0.3, 1.0, -0.5})
    void withoutThePositiveItAgreesToo(double beta) {
        agreesWithDifferences(new Robust(beta, Robust.Variant.NO_POSITIVE), beta);
    }

    /**
     * The other two hold a scale fixed: their gradient is that of scale · (LSE_j(βf₋)/β − mean f₊), with the scale of
     * the whole batch, or of the other half of the positives.
     */
    @ParameterizedTest
    @ValueSource(doubles = {1e-6, 0.3, 1.0, -0.5})
    void theCorrectedOnesAreTheSameUpToTheirScale(double beta) {
        RandomGenerator random = Key.of(63).stream();
        double[] f = draws(random, 6);
        double[] g = draws(random, 7);
        Loss plain = new Robust(beta, Robust.Variant.NO_POSITIVE).of(f, g);
        Loss form = new Robust(beta).of(f, g); // its positives' gradients are -(1 - w+)/n
        double first = -2 * Arrays.stream(form.positiveGradient(), 0, 3).sum();
        double second = -2 * Arrays.stream(form.positiveGradient(), 3, 6).sum();
        double all = (first + second) / 2;
        Loss batch = new Robust(beta, Robust.Variant.BATCH_CORRECTED).of(f, g);
        Loss truth = new Robust(beta, Robust.Variant.TRUE_OBJECTIVE).of(f, g);
        for (int i = 0; i < f.length; i++) {
            assertThat(batch.positiveGradient()[i]).isCloseTo(all * plain.positiveGradient()[i], within(1e-14));
            double other = i < 3 ? second : first;
            assertThat(truth.positiveGradient()[i]).isCloseTo(other * plain.positiveGradient()[i], within(1e-14));
        }
        for (int j = 0; j < g.length; j++) {
            assertThat(batch.negativeGradient()[j]).isCloseTo(all * plain.negativeGradient()[j], within(1e-14));
            assertThat(truth.negativeGradient()[j]).isCloseTo(all * plain.negativeGradient()[j], within(1e-14));
        }
        assertThat(batch.value()).isCloseTo(all * plain.value(), within(1e-9 * Math.abs(plain.value())));
    }

    @Test
    void betaFollowsItsSchedule() {
        RandomGenerator random = Key.of(64).stream();
        double[] f = draws(random, 5);
        double[] g = draws(random, 7);
        Objective falling = new ScheduledRobust(0.8, Robust.Variant.DEFAULT, (step, steps) -> 1 - (double) step / steps)
                .plusSquares(0.1);
        Loss half = falling.at(5, 10).of(f, g);
        assertThat(half.value())
                .isEqualTo(new Robust(0.4).plusSquares(0.1).of(f, g).value());
        assertThat(half.parts()).containsEntry(ScheduledRobust.BETA, 0.4);
        assertThat(falling.at(5, 10).samplingScale()).isEqualTo(0.6);
        assertThat(falling.at(10, 10).of(f, g).value())
                .isEqualTo(new Contrastive().plusSquares(0.1).of(f, g).value());
        assertThat(falling.at(10, 10).samplingScale()).isEqualTo(1);
        assertThat(falling.of(f, g).value())
                .isEqualTo(new Robust(0.8).plusSquares(0.1).of(f, g).value());
    }

    @Test
    void theCheckSeesAWrongGradient() {
        RandomGenerator random = Key.of(62).stream();
        double[] f = draws(random, 5);
        double[] g = draws(random, 7);
        Robust robust = new Robust(0.5);
        assertThat(error(robust, new Robust(0.50001).of(f, g), f, g, 0.5)).isGreaterThan(1e-6);
        assertThat(error(robust, new Contrastive().of(f, g), f, g, 0.5)).isGreaterThan(1e-6);
    }
}

package dev.kelvin.objective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.optim.Schedule;
import dev.kelvin.tensor.Key;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Gradients with respect to f against central differences in double. */
class ObjectiveGradientTest {
    /** With the scale on which each changes. */
    static Stream<Arguments> objectives() {
        Stream<Arguments> robust = Stream.of(1e-8, 1e-6, 1e-4, 0.01, 0.3, 0.5, 1.0, -1e-8, -1e-3, -0.5, -2.0)
                .map(beta -> Arguments.of(Objectives.robust(beta), beta));
        // beside a loss of size 1/β the squares of a tiny β would be lost in rounding
        Stream<Arguments> squares = Stream.of(0.01, 0.5, 1.0, -0.5)
                .map(beta -> Arguments.of(new Robust(beta, Robust.Variant.DEFAULT, Schedule.constant(), 0.1), 1.0));
        Stream<Arguments> contrastive = Stream.of(
                        new Contrastive(),
                        new Contrastive(0.1, 0),
                        new Contrastive(0, 1, OptionalDouble.of(1)),
                        new Contrastive(0.1, 0.3, OptionalDouble.of(2)),
                        new BinaryCrossEntropy(0),
                        new BinaryCrossEntropy(0.1),
                        new Trimmed(0.3, new Contrastive(0.1, 0)),
                        new Trimmed(0.3, Objectives.robust(0.5)),
                        new Trimmed(0.3, new BinaryCrossEntropy(0)))
                .map(objective -> Arguments.of(objective, 1.0));
        return Stream.of(contrastive, robust, squares).flatMap(arguments -> arguments);
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
        agreesWithDifferences(Objectives.robust(beta, Robust.Variant.NO_POSITIVE), beta);
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
        Loss plain = Objectives.robust(beta, Robust.Variant.NO_POSITIVE).of(f, g);
        Loss form = Objectives.robust(beta).of(f, g); // its positives' gradients are -(1 - w+)/n
        double first = -2 * Arrays.stream(form.positiveGradient(), 0, 3).sum();
        double second = -2 * Arrays.stream(form.positiveGradient(), 3, 6).sum();
        double all = (first + second) / 2;
        Loss batch = Objectives.robust(beta, Robust.Variant.BATCH_CORRECTED).of(f, g);
        Loss truth = Objectives.robust(beta, Robust.Variant.TRUE_OBJECTIVE).of(f, g);
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

    private static double[] over(double[] f, double temperature) {
        return Arrays.stream(f).map(value -> value / temperature).toArray();
    }

    /** At a temperature T it is T times the loss of f/T, whose gradient with respect to f is that at f/T. */
    @ParameterizedTest
    @CsvSource({"0.5, 0.25", "0.5, 3", "1, 0.25", "-0.5, 0.1", "1e-4, 0.5"})
    void atATemperatureItIsThatOfTheScaledDensity(double beta, double temperature) {
        RandomGenerator random = Key.of(65).stream();
        double[] f = draws(random, 6);
        double[] g = draws(random, 7);
        Objective.Moment now = new Objective.Moment(0, 1, temperature);
        for (Robust.Variant variant : Robust.Variant.values()) {
            Robust robust = Objectives.robust(beta, variant);
            Loss found = robust.at(now).of(f, g);
            Loss scaled = robust.of(over(f, temperature), over(g, temperature));
            assertThat(found.value()).isCloseTo(temperature * scaled.value(), within(1e-13 * Math.abs(found.value())));
            assertThat(found.positiveGradient()).containsExactly(scaled.positiveGradient(), within(1e-15));
            assertThat(found.negativeGradient()).containsExactly(scaled.negativeGradient(), within(1e-15));
            assertThat(found.parts()).isEqualTo(scaled.parts());
            assertThat(robust.at(now).samplingScale()).isEqualTo(1 - beta);
        }
        for (Robust.Variant variant : List.of(Robust.Variant.DEFAULT, Robust.Variant.NO_POSITIVE)) {
            Objective scaled = (up, down) -> {
                Loss one = Objectives.robust(beta, variant).of(over(up, temperature), over(down, temperature));
                return new Loss(temperature * one.value(), new double[0], new double[0], Map.of());
            };
            Loss claimed = Objectives.robust(beta, variant).at(now).of(f, g);
            assertThat(error(scaled, claimed, f, g, beta / temperature)).isLessThan(1e-6);
        }
    }

    /** The penalty is on f, whatever the temperature. */
    @Test
    void theSquaresAreOfFItself() {
        RandomGenerator random = Key.of(66).stream();
        double[] f = draws(random, 5);
        double[] g = draws(random, 7);
        Objective robust =
                new Robust(0.5, Robust.Variant.DEFAULT, Schedule.constant(), 0.1).at(new Objective.Moment(0, 1, 0.25));
        assertThat(robust.of(f, g).parts().get("l2"))
                .isEqualTo(new Contrastive(0.1, 0).of(f, g).parts().get("l2"));
        agreesWithDifferences(robust, 2);
    }

    /** A negative counts by its weight under exp(f/T) over exp((1 − β)f/T): softmax(βf/T), not softmax(βf). */
    @Test
    void weightsAreThoseOfTheTemperature() {
        RandomGenerator random = Key.of(67).stream();
        double[] f = draws(random, 5);
        double[] g = draws(random, 7);
        double beta = 0.5;
        double temperature = 0.25;
        double[] down = Objectives.robust(beta)
                .at(new Objective.Moment(0, 1, temperature))
                .of(f, g)
                .negativeGradient();
        double sum = Arrays.stream(down).sum();
        double[] weights = Arrays.stream(down).map(value -> value / sum).toArray();
        assertThat(weights).containsExactly(softmax(g, beta / temperature), within(1e-14));
        double[] cold = softmax(g, beta);
        double furthest = IntStream.range(0, g.length)
                .mapToDouble(j -> Math.abs(weights[j] - cold[j]))
                .max()
                .orElseThrow();
        assertThat(furthest).isGreaterThan(0.1); // the twin: weights that forget the temperature
    }

    private static double[] softmax(double[] f, double scale) {
        double[] shares = Arrays.stream(f).map(value -> Math.exp(scale * value)).toArray();
        double sum = Arrays.stream(shares).sum();
        return Arrays.stream(shares).map(share -> share / sum).toArray();
    }

    @Test
    void betaFollowsItsSchedule() {
        RandomGenerator random = Key.of(64).stream();
        double[] f = draws(random, 5);
        double[] g = draws(random, 7);
        Robust falling = new Robust(0.8, Robust.Variant.DEFAULT, new Schedule.Linear(0, 0, 0), 0.1);
        Objective half = falling.at(new Objective.Moment(5, 10, 1));
        Objective last = falling.at(new Objective.Moment(10, 10, 1));
        assertThat(half.of(f, g).value()).isEqualTo(withSquares(0.4).of(f, g).value());
        assertThat(half.of(f, g).parts()).containsEntry(Robust.BETA, 0.4);
        assertThat(half.samplingScale()).isEqualTo(0.6);
        assertThat(last.of(f, g).value())
                .isEqualTo(new Contrastive(0.1, 0).of(f, g).value());
        assertThat(last.samplingScale()).isEqualTo(1);
        assertThat(falling.of(f, g).value()).isEqualTo(withSquares(0.8).of(f, g).value());
        // one that stays says nothing of it
        assertThat(withSquares(0.8).at(new Objective.Moment(5, 10, 1)).of(f, g).parts())
                .doesNotContainKey(Robust.BETA);
    }

    private static Robust withSquares(double beta) {
        return new Robust(beta, Robust.Variant.DEFAULT, Schedule.constant(), 0.1);
    }

    @Test
    void theCheckSeesAWrongGradient() {
        RandomGenerator random = Key.of(62).stream();
        double[] f = draws(random, 5);
        double[] g = draws(random, 7);
        Robust robust = Objectives.robust(0.5);
        assertThat(error(robust, Objectives.robust(0.50001).of(f, g), f, g, 0.5))
                .isGreaterThan(1e-6);
        assertThat(error(robust, new Contrastive().of(f, g), f, g, 0.5)).isGreaterThan(1e-6);
    }
}

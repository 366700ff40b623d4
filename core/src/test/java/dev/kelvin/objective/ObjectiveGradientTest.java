package dev.kelvin.objective;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kelvin.tensor.Key;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

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

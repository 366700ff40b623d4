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
    static Stream<Arguments> objectives() {
        Stream<Arguments> robust = Stream.of(1e-8, 1e-6, 1e-4, 0.01, 0.3, 0.5, 1.0, -1e-8, -1e-3, -0.5, -2.0)
                .flatMap(beta -> Stream.of(
                        Arguments.of(new Robust(beta), beta), Arguments.of(new Robust(beta).plusSquares(0.1), 1.0)));
        return Stream.concat(
                Stream.of(
                        Arguments.of(new Contrastive(), 1.0),
                        Arguments.of(new Contrastive().plusSquares(0.5), 1.0)),
                // a small beta's loss is some 1/beta: its squares are lost in its rounding, see below
                robust.filter(a -> !(a.get()[0] instanceof Squares) || Math.abs(beta(a)) >= 0.01));
    }

    private static double beta(Arguments arguments) {
        return arguments.get()[0] instanceof Squares squares && squares.inner() instanceof Robust robust
                ? robust.beta()
                : 1;
    }

    private static double[] draws(RandomGenerator random, int n) {
        return random.doubles(n, -3, 3).toArray();
    }

    /**
     * The greatest relative error. The loss changes over distances of 1/β in f and is of that size itself, so that with
     * h = 1e-4/β truncation is about 1e-8/6 and rounding 1e-16/1e-4 of the gradient, whatever β.
     */
    private static double worst(Objective objective, Loss claimed, double[] f, double[] g, double scale) {
        double h = 1e-4 / Math.abs(scale);
        double worst = 0;
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
            worst = Math.max(worst, Math.abs((up - down) / (2 * h) - gradient) / Math.abs(gradient));
        }
        return worst;
    }

    @ParameterizedTest
    @MethodSource("objectives")
    void agreesWithDifferences(Objective objective, double scale) {
        RandomGenerator random = Key.of(61).stream();
        for (int round = 0; round < 10; round++) {
            double[] f = draws(random, 5);
            double[] g = draws(random, 7);
            assertThat(worst(objective, objective.of(f, g), f, g, scale)).isLessThan(1e-6);
        }
    }

    @Test
    void theCheckSeesAWrongGradient() {
        RandomGenerator random = Key.of(62).stream();
        double[] f = draws(random, 5);
        double[] g = draws(random, 7);
        Robust robust = new Robust(0.5);
        assertThat(worst(robust, new Robust(0.50001).of(f, g), f, g, 0.5)).isGreaterThan(1e-6);
        assertThat(worst(robust, new Contrastive().of(f, g), f, g, 0.5)).isGreaterThan(1e-6);
    }
}

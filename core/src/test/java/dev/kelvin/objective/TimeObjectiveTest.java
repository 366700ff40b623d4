package dev.kelvin.objective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.tensor.Key;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TimeObjectiveTest {
    private static final int N = 3;
    private static final int TIMES = 4;
    private static final int[] T = {0, 3, 1};
    private static final int[] DRAWN = {2, 2, 0};

    private static double[] draws(int seed) {
        RandomGenerator random = Key.of(seed).stream();
        return random.doubles(N * TIMES, -2, 2).toArray();
    }

    @ParameterizedTest
    @EnumSource
    void gradientsAgreeWithDifferences(TimeObjective objective) {
        double[] f = draws(1);
        double[] g = objective.sampled() ? draws(2) : new double[0];
        Loss loss = objective.of(f, T, g, DRAWN);
        double h = 1e-5;
        for (int i = 0; i < f.length + g.length; i++) {
            double[] own = i < f.length ? f : g;
            int at = i < f.length ? i : i - f.length;
            double before = own[at];
            own[at] = before + h;
            double up = objective.of(f, T, g, DRAWN).value();
            own[at] = before - h;
            double down = objective.of(f, T, g, DRAWN).value();
            own[at] = before;
            double gradient = (i < f.length ? loss.positiveGradient() : loss.negativeGradient())[at];
            assertThat(gradient).isCloseTo((up - down) / (2 * h), within(1e-9));
        }
    }

    /** By hand for one sample of two times. */
    @Test
    void valuesByHand() {
        double[] f = {Math.log(3), Math.log(1)}; // p(t|z) = 3/4, 1/4; p(z) = 4
        double[] g = {Math.log(2), Math.log(6)}; // p(z) = 8
        int[] t = {1};
        int[] drawn = {0};
        assertThat(TimeObjective.CROSS_ENTROPY.of(f, t, new double[0], drawn).value())
                .isCloseTo(Math.log(4), within(1e-15));
        assertThat(TimeObjective.CD_CE.of(f, t, g, drawn).value())
                .isCloseTo(Math.log(8) - Math.log(4) + Math.log(4), within(1e-15));
        assertThat(TimeObjective.JOINT_CD.of(f, t, g, drawn).value()).isCloseTo(Math.log(2), within(1e-15));
        assertThat(TimeObjective.CONDITIONAL_CD.of(f, t, g, drawn).value()).isCloseTo(Math.log(6), within(1e-15));
        assertThat(TimeObjective.CD_CE.of(f, t, g, drawn).parts().get(TimeObjective.CROSS_ENTROPY_PART))
                .isCloseTo(Math.log(4), within(1e-15));
    }

    /** JointCD's gradient is CD+CE's on average over the drawn times. */
    @Test
    void jointIsCdAndCeOnAverage() {
        double[] f = draws(3);
        double[] g = draws(4);
        double[] expected = TimeObjective.CD_CE.of(f, T, g, DRAWN).negativeGradient();
        double[] shares = g.clone();
        TimeObjective.shares(shares, TIMES);
        double[] mean = new double[expected.length];
        for (int t = 0; t < TIMES; t++) {
            Loss joint = TimeObjective.JOINT_CD.of(f, T, g, new int[] {t, t, t});
            for (int i = 0; i < N; i++) {
                mean[i * TIMES + t] += shares[i * TIMES + t] * joint.negativeGradient()[i * TIMES + t];
            }
        }
        assertThat(mean).containsExactly(expected, within(1e-14));
    }

    @Test
    void greatNumbersStayNumbers() {
        double[] f = {1e6, -1e6, 3, 0};
        Loss loss = TimeObjective.CD_CE.of(f, new int[] {1}, f, new int[] {0});
        assertThat(loss.value()).isCloseTo(2e6, within(1e-6));
        assertThat(loss.negativeGradient()).containsExactly(new double[] {1, 0, 0, 0}, within(1e-15));
    }
}

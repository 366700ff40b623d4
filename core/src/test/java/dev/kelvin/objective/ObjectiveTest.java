package dev.kelvin.objective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.optim.Schedule;
import dev.kelvin.part.SettingException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ObjectiveTest {
    private static final double[] BETAS = {1e-8, -1e-8, 1e-3, 0.5, 1, -0.5};

    static Stream<Objective> all() {
        Stream<Objective> robust = DoubleStream.of(BETAS)
                .boxed()
                .flatMap(beta -> Stream.of(
                        Objectives.robust(beta),
                        new Robust(beta, Robust.Variant.DEFAULT, Schedule.constant(), 0.1),
                        Objectives.robust(beta).at(new Objective.Moment(0, 1, 0.25))));
        return Stream.concat(
                Stream.of(
                        new Contrastive(),
                        new Contrastive(0.1, 0),
                        new BinaryCrossEntropy(0.1),
                        new Trimmed(0.3, new Contrastive()),
                        new Trimmed(0.3, Objectives.robust(0.5))),
                robust);
    }

    private static boolean finite(Loss loss) {
        return Double.isFinite(loss.value())
                && DoubleStream.of(loss.positiveGradient()).allMatch(Double::isFinite)
                && DoubleStream.of(loss.negativeGradient()).allMatch(Double::isFinite)
                && loss.parts().values().stream().allMatch(Double::isFinite);
    }

    @ParameterizedTest
    @MethodSource("all")
    void greatNumbersStayNumbers(Objective objective) {
        for (double size : new double[] {0, 1, 1e4, 1e8}) {
            double[] mixed = {size, -size, 0.5 * size, -3};
            double[] high = {size, size + 1};
            double[] low = {-size, -size - 1};
            assertThat(finite(objective.of(mixed, mixed))).isTrue();
            assertThat(finite(objective.of(high, low))).isTrue();
            assertThat(finite(objective.of(low, high))).isTrue();
        }
    }

    @ParameterizedTest
    @MethodSource("all")
    void nanInIsNanOut(Objective objective) {
        for (int at = 0; at < 3; at++) {
            double[] good = {1, -2, 3};
            double[] bad = good.clone();
            bad[at] = Double.NaN;
            assertThat(objective.of(bad, good).value()).isNaN();
            assertThat(objective.of(good, bad).value()).isNaN();
        }
    }

    /** The gradient at tiny β is contrastive's but for the factor M/(M + 1), even where f is great. */
    @ParameterizedTest
    @ValueSource(doubles = {1e-8, -1e-8})
    void tinyBetaIsContrastive(double beta) {
        double[] f = {1e4, -1e4, 3};
        double[] g = {-1e4, 1e4, 0, 5};
        Loss robust = Objectives.robust(beta).of(f, g);
        Loss contrastive = new Contrastive().of(f, g);
        // weights differ from equal ones by β·f = 1e-4
        for (int i = 0; i < f.length; i++) {
            assertThat(robust.positiveGradient()[i]).isCloseTo(contrastive.positiveGradient()[i] * 4 / 5, within(1e-4));
        }
        for (int j = 0; j < g.length; j++) {
            assertThat(robust.negativeGradient()[j]).isCloseTo(contrastive.negativeGradient()[j] * 4 / 5, within(1e-4));
        }
        assertThat(robust.parts().get(Robust.GRAD_SCALE)).isCloseTo(0.8, within(1e-4));
        assertThat(robust.parts().get(Robust.EFFECTIVE_NEGATIVES)).isCloseTo(4, within(1e-3));
    }

    /** Adding a number to all f changes neither gradient: only differences matter. */
    @ParameterizedTest
    @ValueSource(doubles = {1e-8, 0.5, 1, -0.5})
    void onlyDifferencesOfFMatter(double beta) {
        double[] f = {1, 2, 0.5};
        double[] g = {0, 1.5, -1, 0.3};
        Loss here = Objectives.robust(beta).of(f, g);
        Loss there = Objectives.robust(beta).of(shifted(f), shifted(g));
        assertThat(there.positiveGradient()).containsExactly(here.positiveGradient(), within(1e-11));
        assertThat(there.negativeGradient()).containsExactly(here.negativeGradient(), within(1e-11));
        double sum = Arrays.stream(here.positiveGradient()).sum()
                + Arrays.stream(here.negativeGradient()).sum();
        assertThat(sum).isCloseTo(0, within(1e-15 * 4));
    }

    private static double[] shifted(double[] f) {
        return Arrays.stream(f).map(value -> value + 1e4).toArray();
    }

    @ParameterizedTest
    @ValueSource(doubles = {1.01, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
    void betaThatIsNoneIsRefused(double beta) {
        assertThatThrownBy(() -> Objectives.robust(beta))
                .isInstanceOf(SettingException.class)
                .hasMessageContaining("beta must be");
    }

    /** To the bit, with the chains that it has. */
    @Test
    void betaZeroIsContrastive() {
        double[] f = {1, 2, 0.5};
        double[] g = {0, 1.5, -1, 0.3};
        Robust none = new Robust(0, Robust.Variant.TRUE_OBJECTIVE, Schedule.constant(), 0.1);
        for (Objective objective : List.of(none, none.at(new Objective.Moment(3, 10, 0.25)))) {
            Loss found = objective.of(f, g);
            Loss expected = new Contrastive(0.1, 0).of(f, g);
            assertThat(found.value()).isEqualTo(expected.value());
            assertThat(found.positiveGradient()).isEqualTo(expected.positiveGradient());
            assertThat(found.negativeGradient()).isEqualTo(expected.negativeGradient());
            assertThat(objective.samplingScale()).isEqualTo(1);
            assertThat(objective.weighs()).isFalse();
        }
    }

    @Test
    void aWeightThatIsNoneIsRefusedAndNoneIsNothing() {
        double[] f = {1, 2};
        assertThat(new Contrastive(0, 0).of(f, f).parts()).isEmpty();
        assertThat(new Contrastive(0, 0)).isEqualTo(new Contrastive());
        for (double weight : new double[] {-1, Double.NaN, Double.POSITIVE_INFINITY}) {
            assertThatThrownBy(() -> new Contrastive(weight, 0))
                    .isInstanceOf(SettingException.class)
                    .hasMessageContaining("l2 must be 0 or more");
            assertThatThrownBy(() -> new Robust(0.5, Robust.Variant.DEFAULT, Schedule.constant(), weight))
                    .isInstanceOf(SettingException.class)
                    .hasMessageContaining("l2 must be 0 or more");
        }
    }

    @Test
    void onePositiveIsTooFewForTheTrueObjective() {
        Robust truth = Objectives.robust(0.5, Robust.Variant.TRUE_OBJECTIVE);
        assertThat(truth.fewestPositives()).isEqualTo(2);
        assertThat(Objectives.robust(0.5).fewestPositives()).isEqualTo(1);
        assertThatThrownBy(() -> truth.of(new double[1], new double[3]))
                .hasMessage("the true objective takes two positives or more, found 1");
    }

    @Test
    void eachSaysWhatItIs() {
        assertThat(new Contrastive(0.1, 0).words())
                .contains("contrastive divergence")
                .contains("L2 penalty");
        assertThat(new Contrastive().words()).doesNotContain("L2");
        assertThat(Objectives.robust(0.5).words()).contains("0.5");
        assertThat(Objectives.robustOverT(4).words()).contains("β·o = 4 (o = 1/T)");
        assertThat(new Contrastive(0, 1).words()).contains("entropy at weight 1");
        assertThat(new JointObjective.CdCe(new Contrastive(), 1, Smoothing.of(50)).words())
                .contains("α = 50");
    }

    /** β·o is β at T = 1, and there as elsewhere one that is 0 weighs nothing. */
    @Test
    void betaOverTIsToldByTheTemperature() {
        Robust robust = Objectives.robustOverT(0.5);
        double[] f = {1, 2};
        double[] g = {0, 3, 1};
        assertThat(robust.of(f, g).value())
                .isEqualTo(Objectives.robust(0.5).of(f, g).value());
        assertThat(robust.samplingScale()).isEqualTo(0.5);
        assertThat(robust.at(new Objective.Moment(0, 1, 0.5)).samplingScale()).isEqualTo(0.75);
        assertThat(Objectives.robustOverT(0).weighs()).isFalse();
        assertThat(robust.weighs()).isTrue();
        robust.requireTemperature(2);
        assertThatThrownBy(() -> robust.requireTemperature(2.1)).hasMessageContaining("betaOverT must be at most 1/T");
        assertThatThrownBy(() -> new JointObjective.CdCe(robust, 1, Smoothing.of(1)).requireTemperature(2.1))
                .hasMessageStartingWith("by.robust.betaOverT must be at most");
        assertThatThrownBy(() -> Objectives.robustOverT(Double.NaN))
                .hasMessageContaining("betaOverT must be a finite number");
        assertThatThrownBy(() -> new Contrastive(0, 1.5)).hasMessageContaining("entropy must lie between 0 and 1");
    }
}

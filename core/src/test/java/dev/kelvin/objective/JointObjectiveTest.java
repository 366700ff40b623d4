package dev.kelvin.objective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.optim.Schedule;
import dev.kelvin.part.SettingException;
import dev.kelvin.tensor.Key;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class JointObjectiveTest {
    private static final long[] K = {0, 2, 0, 2, 2, 2, 0};
    private static final long[] NEGATIVE = {0, 2, 0, 2, 2};

    private final RandomGenerator random = Key.of(1).stream();
    private final double[] f = random.doubles(K.length, -2, 2).toArray();
    private final double[] g = random.doubles(NEGATIVE.length, -2, 2).toArray();

    @Test
    void eachComparesWhatItSays() {
        Robust robust = Objectives.robust(0.3);
        assertThat(new JointObjective.CdCe(robust, 0.5, Smoothing.of(1)).compares())
                .isEqualTo(ContrastedDensity.MARGINAL);
        assertThat(new JointObjective.CdCe(robust, 0.5, Smoothing.of(1)).labels())
                .isEqualTo(0.5);
        assertThat(new JointObjective.JointCd(robust).compares()).isEqualTo(ContrastedDensity.PAIR);
        assertThat(new JointObjective.ConditionalCd(robust).compares()).isEqualTo(ContrastedDensity.GIVEN);
        for (Objective objective :
                List.of(new JointObjective.JointCd(robust), new JointObjective.ConditionalCd(robust))) {
            assertThat(objective.labels()).isZero();
        }
        for (JointObjective objective : List.of(
                new JointObjective.CdCe(robust, 1, Smoothing.of(1)),
                new JointObjective.JointCd(robust),
                new JointObjective.ConditionalCd(robust),
                new JointObjective.Custom(robust, ContrastedDensity.PAIR, 2, Smoothing.of(1)))) {
            assertThat(objective.sampled()).isTrue();
            assertThat(objective.weighs()).isTrue();
            assertThat(objective.samplingScale()).isEqualTo(0.7);
            assertThat(objective.of(f, g).value()).isEqualTo(robust.of(f, g).value());
            assertThat(objective.words()).startsWith(robust.words());
        }
        JointObjective.CrossEntropy labels = new JointObjective.CrossEntropy();
        assertThat(labels.sampled()).isFalse();
        assertThat(labels.labels()).isEqualTo(1);
        assertThat(labels.of(f, new double[0]).value()).isZero();
        assertThat(labels.of(f, new double[0]).positiveGradient()).containsOnly(0);
    }

    /** The moment goes on to the generative part, and nothing else changes. */
    @Test
    void theGenerativePartFollowsTheMoment() {
        Robust robust = new Robust(0.8, Robust.Variant.TRUE_OBJECTIVE, new Schedule.Linear(0, 0, 0), 0);
        Objective.Moment now = new Objective.Moment(5, 10, 0.25);
        Objective half = new JointObjective.CdCe(robust, 0.3, Smoothing.of(1)).at(now);
        assertThat(half.compares()).isEqualTo(ContrastedDensity.MARGINAL);
        assertThat(half.labels()).isEqualTo(0.3);
        assertThat(half.samplingScale()).isEqualTo(0.6);
        assertThat(half.fewestPositives()).isEqualTo(2);
        assertThat(half.of(f, g).value())
                .isEqualTo(robust.at(now).of(f, g).value())
                .isNotEqualTo(robust.of(f, g).value());
        JointObjective.CrossEntropy labels = new JointObjective.CrossEntropy();
        assertThat(labels.at(now)).isSameAs(labels);
    }

    @Test
    void aGenerativePartThatIsNoneIsRefused() {
        JointObjective.CdCe inner = new JointObjective.CdCe(new Contrastive(), 1, Smoothing.of(1));
        for (Objective wrong : List.of(inner, new JointObjective.CrossEntropy())) {
            assertThatThrownBy(() -> new JointObjective.JointCd(wrong))
                    .isInstanceOf(SettingException.class)
                    .hasMessage("by must be a generative objective, such as contrastive or robust");
            assertThatThrownBy(() -> new JointObjective.ConditionalCd(wrong)).hasMessageContaining("by must be");
            assertThatThrownBy(() -> new JointObjective.CdCe(wrong, 1, Smoothing.of(1)))
                    .hasMessageContaining("by must be");
            assertThatThrownBy(() -> new JointObjective.Custom(wrong, ContrastedDensity.GIVEN, 1, Smoothing.of(1)))
                    .hasMessageContaining("by must be");
        }
        assertThatThrownBy(() -> new JointObjective.CdCe(new Contrastive(), -1, Smoothing.of(1)))
                .hasMessageContaining("labels must be");
    }

    private static double[] at(double[] values, int... rows) {
        return Arrays.stream(rows).mapToDouble(row -> values[row]).toArray();
    }

    /** Each component's loss by hand, by its share of the positives. */
    @ParameterizedTest
    @EnumSource(Robust.Variant.class)
    void byComponentIsTheMeanOverComponents(Robust.Variant variant) {
        Robust robust = new Robust(0.5, variant, Schedule.constant(), 0.1);
        Loss first = robust.of(at(f, 0, 2, 6), at(g, 0, 2));
        Loss second = robust.of(at(f, 1, 3, 4, 5), at(g, 1, 3, 4));
        Loss all = JointObjective.byComponent(robust, f, K, g, NEGATIVE);
        assertThat(all.value()).isCloseTo((3 * first.value() + 4 * second.value()) / 7, within(1e-14));
        assertThat(at(all.positiveGradient(), 0, 2, 6))
                .containsExactly(scaled(first.positiveGradient(), 3 / 7.0), within(1e-15));
        assertThat(at(all.positiveGradient(), 1, 3, 4, 5))
                .containsExactly(scaled(second.positiveGradient(), 4 / 7.0), within(1e-15));
        assertThat(at(all.negativeGradient(), 0, 2))
                .containsExactly(scaled(first.negativeGradient(), 3 / 7.0), within(1e-15));
        assertThat(at(all.negativeGradient(), 1, 3, 4))
                .containsExactly(scaled(second.negativeGradient(), 4 / 7.0), within(1e-15));
        assertThat(all.parts()).containsOnlyKeys(first.parts().keySet());
        first.parts().forEach((name, part) -> {
            double mean = (3 * part + 4 * second.parts().getOrDefault(name, Double.NaN)) / 7;
            assertThat(all.parts().get(name)).isCloseTo(mean, within(1e-14));
        });
    }

    private static double[] scaled(double[] values, double factor) {
        return Arrays.stream(values).map(value -> factor * value).toArray();
    }

    /** A number added to all f of one component, its unknown constant, changes no gradient; of both together it would. */
    @Test
    void componentsConstantsDoNotMatter() {
        Robust robust = Objectives.robust(0.5);
        double[] up = f.clone();
        double[] down = g.clone();
        for (int i = 0; i < up.length; i++) {
            up[i] += K[i] == 2 ? 3 : 0;
        }
        for (int j = 0; j < down.length; j++) {
            down[j] += NEGATIVE[j] == 2 ? 3 : 0;
        }
        Loss here = JointObjective.byComponent(robust, f, K, g, NEGATIVE);
        Loss there = JointObjective.byComponent(robust, up, K, down, NEGATIVE);
        assertThat(there.positiveGradient()).containsExactly(here.positiveGradient(), within(1e-14));
        assertThat(there.negativeGradient()).containsExactly(here.negativeGradient(), within(1e-14));
        assertThat(robust.of(up, down).negativeGradient()[0])
                .isNotCloseTo(robust.of(f, g).negativeGradient()[0], within(0.01));
    }

    @Test
    void byComponentOfContrastiveWithEqualSharesIsContrastive() {
        long[] k = {0, 1, 0, 1};
        double[] up = {1, 2, 3, 5};
        double[] down = {0, 4, 1, 1};
        Loss whole = new Contrastive().of(up, down);
        Loss each = JointObjective.byComponent(new Contrastive(), up, k, down, k);
        assertThat(each.value()).isCloseTo(whole.value(), within(1e-15));
        assertThat(each.positiveGradient()).containsExactly(whole.positiveGradient(), within(1e-16));
        assertThat(each.negativeGradient()).containsExactly(whole.negativeGradient(), within(1e-16));
    }

    /** Such a batch is rare, and must not end a run: the component waits for the next one. */
    @ParameterizedTest
    @EnumSource(Robust.Variant.class)
    void aComponentWithoutNegativesOrWithOnePositiveHasNoLoss(Robust.Variant variant) {
        Robust robust = Objectives.robust(0.5, variant);
        double[] up = {1, 2, 3, -1};
        double[] down = {0.5, 0, 1};
        // component 1 has no negative, component 2 one positive
        Loss loss = JointObjective.byComponent(robust, up, new long[] {0, 0, 1, 2}, down, new long[] {0, 0, 2});
        boolean two = variant == Robust.Variant.TRUE_OBJECTIVE;
        Loss first = robust.of(at(up, 0, 1), at(down, 0, 1));
        assertThat(loss.positiveGradient()[2]).isZero();
        assertThat(loss.positiveGradient()[3] == 0).isEqualTo(two);
        assertThat(loss.negativeGradient()[2] == 0).isEqualTo(two);
        assertThat(at(loss.positiveGradient(), 0, 1))
                .containsExactly(scaled(first.positiveGradient(), 0.5), within(1e-15));
        assertThat(loss.value()).isFinite();
        assertThat(loss.parts()).hasSize(4);
        assertThat(loss.parts().values()).allMatch(Double::isFinite);
        if (two) {
            assertThat(loss.parts()).isEqualTo(first.parts());
        }
    }
}

package dev.kelvin.recipe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RuleTest {
    /** Two seeds: a.x is 8 and 9, b.x 2 and 5, c.x 3 and 1. */
    private static final Expression.Figures FIGURES = new Expression.Figures() {
        private static final Map<String, List<Double>> VALUES =
                Map.of("a.x", List.of(8.0, 9.0), "b.x", List.of(2.0, 5.0), "c.x", List.of(3.0, 1.0));

        @Override
        public double of(String name, int seed) {
            return VALUES.containsKey(name) ? VALUES.get(name).get(seed) : Double.NaN;
        }

        @Override
        public int seeds() {
            return 2;
        }
    };

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a.x - b.x / 2 | 7 | 6.5",
                "(a.x - b.x) / 2 | 3 | 2",
                "a.x - b.x - c.x | 3 | 3",
                "2 * (a.x + -1) | 14 | 16",
                "max(a.x, b.x, c.x) | 8 | 9",
                "min(b.x, c.x) | 2 | 1",
                "argmax(b.x, c.x, a.x / 4) | 2 | 1",
                "abs(b.x - c.x) | 1 | 4",
                "mean(b.x) | 3.5 | 3.5",
                "mean(b.x - c.x) | 1.5 | 1.5",
                "sd(a.x) * sd(a.x) | 0.5 | 0.5",
                "max(mean(b.x), c.x) | 3.5 | 3.5",
                "d.x + 1 | NaN | NaN",
                "max(d.x, 1) | NaN | NaN"
            })
    void expressionsHaveValues(String text, double first, double second) {
        double[] values = Rule.parse(text + " < 0").statistics(FIGURES);
        assertThat(values[0]).isCloseTo(first, within(1e-12));
        assertThat(values[1]).isCloseTo(second, within(1e-12));
    }

    @Test
    void aMarginIsPositiveWhereTheRuleHolds() {
        Rule below = Rule.parse("b.x < c.x");
        assertThat(IntStream.range(0, 2).mapToDouble(seed -> below.margin(FIGURES, seed)))
                .containsExactly(1.0, -4.0);
        assertThat(Rule.parse("a.x - 1 >= 7").margin(FIGURES, 1)).isEqualTo(1);
        assertThat(Rule.parse("a.x > 1").holds(0)).isFalse();
        assertThat(Rule.parse("a.x >= 1").holds(0)).isTrue();
    }

    @Test
    void aRuleIsOverSeedsIfNoFigureIsOfOneSeed() {
        assertThat(Rule.parse("mean(a.x) - sd(b.x) > 3").isOverSeeds()).isTrue();
        assertThat(Rule.parse("a.x < mean(a.x)").isOverSeeds()).isFalse();
        assertThat(Rule.parse("max(a.x, mean(b.x)) < 3").isOverSeeds()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a.x",
                "a.x < ",
                "< 3",
                "a.x < b.x < c.x",
                "a.x ? 3 < 4",
                "a < 3",
                "max(a.x < 3",
                "a.x b.x < 3",
                "sd(a.x, b.x) < 3"
            })
    void whatIsNoRuleIsRefused(String text) {
        assertThatThrownBy(() -> Rule.parse(text)).hasMessageContaining("must compare two expressions");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a.x < 1", "a.x > 1", "a.x <= 1", "a.x >= 1"})
    void nothingHoldsOfWhatIsNoNumber(String rule) {
        assertThat(Rule.parse(rule).holds(Double.NaN)).isFalse();
    }

    @Test
    void namesAreThoseOfBothSides() {
        assertThat(Rule.parse("max(a-b.x, c.y@start) >= mean(d.accuracy_linf_0.5) + 1")
                        .names())
                .containsExactly("a-b.x", "c.y@start", "d.accuracy_linf_0.5");
    }

    @Test
    void momentsOfTraining() {
        List<Moment.Logged> curve = IntStream.rangeClosed(1, 20)
                .mapToObj(i -> new Moment.Logged(10L * i, i == 7 ? -1 : i))
                .toList();
        assertThat(at("start", curve)).isEqualTo(1.5);
        assertThat(at("end", curve)).isEqualTo(19.5);
        assertThat(at("least", curve)).isEqualTo(-1);
        assertThat(at("most", curve)).isEqualTo(20);
        assertThat(at("25", curve)).isEqualTo(3);
        assertThat(at("201", curve)).isNaN();
        assertThat(at("start", List.of())).isNaN();
        assertThat(Moment.parse("0")).isEmpty();
    }

    private static double at(String word, List<Moment.Logged> curve) {
        return Moment.parse(word).orElseThrow().of(curve);
    }
}

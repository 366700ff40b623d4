package dev.kelvin.recipe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class StudyTest {
    private static final String STUDY = """
            name: a
            paper: "000: p"
            about: b
            scale: c
            seeds: 2
            runs: [{name: r, recipe: rings}]
            chains: [{name: w, run: r, steps: 100, kernel: {mala: {stepSize: 1}}}]
            claims: [{id: i, place: p, says: s, rule: w.rhat < 2}]
            """;

    @ParameterizedTest
    @MethodSource("dev.kelvin.recipe.Study#names")
    void shippedStudiesAreSound(String name) {
        Study study = Study.named(name);
        assertThat(study.name()).isEqualTo(name);
        study.runs().forEach(run -> assertThat(run.recipe(3).train().seed()).isEqualTo(3));
        assertThat(study.claims()).isNotEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "rule: w.rhat < 2 | rule: w.rhat | must compare two expressions",
                "rule: w.rhat < 2 | rule: w.rhat < 2 < 3 | must compare two expressions",
                "rule: w.rhat < 2 | rule: v.rhat < 2 | asks for v.rhat, which nothing measures",
                "run: r, | run: s, | which is not there",
                "name: w | name: r | has two of the name 'r'",
                "seeds: 2 | seeds: 0 | seeds must be at least 1",
                "steps: 100 | steps: 3 | steps must be at least 24"
            })
    void mistakesAreTold(String right, String wrong, String message) {
        assertThat(STUDY).contains(right);
        assertThatThrownBy(() -> Study.parse("a.yaml", STUDY.replace(right, wrong), List.of("*")))
                .isInstanceOf(RecipeException.class)
                .hasMessageContaining("a.yaml:")
                .hasMessageContaining(message);
    }

    @Test
    void rulesAreTakenFromLeftToRight() {
        Map<String, Double> figures = Map.of("a.x", 8.0, "b.x", 2.0);
        Rule rule = Rule.parse("a.x - b.x / 2 >= b.x + 1");
        assertThat(rule.statistic(name -> figures.getOrDefault(name, 0.0))).isEqualTo(3);
        assertThat(rule.bound(name -> figures.getOrDefault(name, 0.0))).isEqualTo(3);
        assertThat(rule.holds(name -> figures.getOrDefault(name, 0.0))).isTrue();
        assertThat(rule).hasToString("a.x - b.x / 2 >= b.x + 1");
        assertThat(rule.names()).containsExactly("a.x", "b.x", "b.x");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a.x < 1", "a.x > 1", "a.x <= 1", "a.x >= 1"})
    void nothingHoldsOfWhatIsNoNumber(String rule) {
        assertThat(Rule.parse(rule).holds(name -> Double.NaN)).isFalse();
    }

    @Test
    void infiniteFiguresCompare() {
        assertThat(Rule.parse("a.x / 2 >= 10").holds(name -> Double.POSITIVE_INFINITY))
                .isTrue();
    }
}

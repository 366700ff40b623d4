package dev.kelvin.part;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WordsTest {
    private static final List<String> KNOWN = List.of("stepSize", "steps", "noise", "noiseFirst", "gradient-descent");

    @ParameterizedTest
    @CsvSource({
        "stepsize, stepSize",
        "step_size, stepSize",
        "step-size, stepSize",
        "STEPSIZE, stepSize",
        "setpSize, stepSize",
        "step, steps",
        "nosie, noise",
        "noisefirst, noiseFirst",
        "GradientDescent, gradient-descent",
        "gradient descend, gradient-descent",
    })
    void findsTheNearestWord(String found, String nearest) {
        assertThat(Words.nearest(found, KNOWN)).contains(nearest);
    }

    @ParameterizedTest
    @CsvSource({"''", "x", "size", "descent", "momentum", "stop-at-the-first"})
    void findsNoneThatIsNotNear(String found) {
        assertThat(Words.nearest(found, KNOWN)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "'', abc, 3",
        "abc, abc, 0",
        "abc, acb, 1",
        "abc, ab, 1",
        "abc, abd, 1",
        "kitten, sitting, 3",
        "ca, abc, 3"
    })
    void countsEdits(String a, String b, int edits) {
        assertThat(Words.distance(a, b)).isEqualTo(edits);
        assertThat(Words.distance(b, a)).isEqualTo(edits);
    }

    @ParameterizedTest
    @CsvSource({
        "GradientDescent, gradient-descent",
        "FOUR_GAUSSIANS, four-gaussians",
        "Mlp, mlp",
        "ResidualMlp, residual-mlp"
    })
    void writesJavasNamesAsRecipesDo(String java, String word) {
        assertThat(Words.kebab(java)).isEqualTo(word);
    }

    @Test
    void quotesOnOneShortLine() {
        assertThat(Words.quote("a\nb\u2028c")).isEqualTo("'a b c'");
        assertThat(Words.quote("a".repeat(1000))).isEqualTo("'" + "a".repeat(40) + "...'");
    }

    @Test
    void commandsAreQuotedForTheShell() {
        assertThat(Words.command("train", "--resume", "runs/été-2")).isEqualTo("kelvin train --resume runs/été-2");
        assertThat(Words.command("evaluate", "my runs/it's")).isEqualTo("kelvin evaluate 'my runs/it'\\''s'");
        assertThat(Words.command("sample", "--kernel", "{mala: {stepSize: 1}}", ""))
                .isEqualTo("kelvin sample --kernel '{mala: {stepSize: 1}}' ''");
    }
}

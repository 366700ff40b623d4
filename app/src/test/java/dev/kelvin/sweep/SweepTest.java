package dev.kelvin.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kelvin.part.SettingException;
import dev.kelvin.tensor.Key;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SweepTest {
    private static Sweep grid(String... set) {
        return new Sweep("rings", List.of(), List.of(set), List.of(0L), OptionalInt.empty());
    }

    private static Sweep drawn(int count, String... set) {
        return new Sweep("rings", List.of(), List.of(set), List.of(0L), OptionalInt.of(count));
    }

    private static List<String> names(Sweep sweep) {
        return sweep.points().stream().map(SweepPoint::name).toList();
    }

    // ---- values

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "1,2, 3 | 1 ; 2 ; 3",
                "[64, 64],[128] | [64, 64] ; [128]",
                "{mala: {stepSize: 0.1}},{langevin: {stepSize: 1, noise: 1}} | {mala: {stepSize: 0.1}} ; {langevin: {stepSize: 1, noise: 1}}",
                "'a, b',\"c, \\\"d\",it's | 'a, b' ; \"c, \\\"d\" ; it's",
                "'it''s, so',[', ]',x] | 'it''s, so' ; [', ]',x]",
                "{a: 'x,]'} | {a: 'x,]'}"
            })
    void valuesAreSplitAtCommasOutsideOfBracketsAndQuotes(String text, String values) {
        assertThat(ValueList.of(text)).containsExactly(values.split(" ; "));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "1,,2 | has an empty value; write null for nothing",
                "1, | has an empty value",
                "[1,2 | lacks a ']'",
                "{a: [1} | has a '}' that nothing opens",
                "1] | has a ']' that nothing opens",
                "'a | has a quotation that does not end"
            })
    void brokenListsAreRefused(String text, String message) {
        assertThatThrownBy(() -> ValueList.of(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    // ---- points

    @Test
    void aGridHasAllCombinationsWithNamesForFiles() {
        Sweep sweep = grid("negatives.kernel.mala.stepSize=0.05,0.1", "train.batch=8", "model.mlp.hidden=[8, 8],[16]");
        assertThat(names(sweep))
                .containsExactly(
                        "1_stepSize=0.05_hidden=8-8",
                        "2_stepSize=0.05_hidden=16",
                        "3_stepSize=0.1_hidden=8-8",
                        "4_stepSize=0.1_hidden=16");
        assertThat(sweep.varied()).containsExactly("negatives.kernel.mala.stepSize", "model.mlp.hidden");
        assertThat(sweep.overrides(sweep.points().get(2)))
                .containsExactly("negatives.kernel.mala.stepSize=0.1", "train.batch=8", "model.mlp.hidden=[8, 8]");
        assertThat(sweep.points().get(2).words()).isEqualTo("stepSize 0.1, hidden [8, 8]");
    }

    @Test
    void settingsOfOneNameAreToldApart() {
        assertThat(names(grid("a.x.size=1,2", "b.x.size=-3,{a: b}")))
                .startsWith("1_a.x.size=1_b.x.size=-3", "2_a.x.size=1_b.x.size=a-b");
        assertThat(names(grid("size=1,2", "b.size=1,2"))).startsWith("1_size=1_b.size=1");
    }

    @Test
    void namesAreShortAndDifferent() {
        String many = "x".repeat(70);
        List<String> names = names(grid("a=" + many + "1," + many + "2", "b.c=../d,<&>,'ä ö'"));
        assertThat(names).doesNotHaveDuplicates().allMatch(name -> name.matches("[A-Za-z0-9._=+-]{1,80}"));
        assertThat(names(grid())).containsExactly("1");
    }

    // ---- random points

    @Test
    void drawnPointsAreTheSameForEveryTaskAndDifferFromEachOther() {
        String[] set = {"a=1e-4..1e-2", "b=x,y", "c=1..3", "d=0.5"};
        List<SweepPoint> points = drawn(200, set).points();
        assertThat(points).isEqualTo(drawn(200, set).points()).hasSize(200);
        assertThat(new HashSet<>(points.stream().map(SweepPoint::values).toList()))
                .hasSize(200);
        assertThat(points).allSatisfy(point -> {
            assertThat(point.values()).containsOnlyKeys("a", "b", "c");
            assertThat(Double.parseDouble(point.values().get("a"))).isBetween(1e-4, 1e-2);
            assertThat(point.values().get("b")).isIn("x", "y");
            assertThat(point.values().get("c")).isIn("1", "2", "3");
        });
        assertThat(drawn(6, "b=x,y", "c=1..3").points()).hasSize(6);
    }

    /** Of 2000 draws by the logarithm half lie below the geometric mean: 1000 with a standard deviation of 22. */
    @Test
    void wideRangesAreDrawnByTheLogarithm() {
        assertThat(below("1e-4..1e-2", 1e-3)).isBetween(890, 1110); // 5 deviations: alpha 6e-7
        assertThat(below("log:1.0..2.0", Math.sqrt(2))).isBetween(890, 1110);
        assertThat(below("1.0..2.0", 1.5)).isBetween(890, 1110);
        assertThat(below("linear:1e-4..1e-2", 5.05e-3)).isBetween(890, 1110);
        assertThat(below("-1.0..1.0", 0)).isBetween(890, 1110);
        assertThat(below("1e-4..1e-2", 5.05e-3)).isGreaterThan(1500); // a uniform draw would have a half of them there
    }

    private static int below(String range, double limit) {
        ValueRange parsed = ValueRange.of(range).orElseThrow();
        int count = 0;
        for (int i = 0; i < 2000; i++) {
            count += Double.parseDouble(parsed.draw(Key.of(3).child(i).stream())) < limit ? 1 : 0;
        }
        return count;
    }

    /** Each of 1 to 4 has the share of the logarithm from it to the next: of 1 log 2 / log 5. */
    @Test
    void wholeEndsDrawWholeNumbers() {
        Map<String, Integer> counts = new TreeMap<>();
        ValueRange range = ValueRange.of("log: 1..4").orElseThrow();
        for (int i = 0; i < 2000; i++) {
            counts.merge(range.draw(Key.of(4).child(i).stream()), 1, Integer::sum);
        }
        assertThat(counts).containsOnlyKeys("1", "2", "3", "4");
        double expected = 2000 * Math.log(2) / Math.log(5); // 861, deviation 22
        assertThat((double) counts.get("1")).isBetween(expected - 110, expected + 110);
    }

    // ---- seeds

    @Test
    void seedsAreListsAndRanges() {
        assertThat(Sweep.seeds("0..4")).containsExactly(0L, 1L, 2L, 3L, 4L);
        assertThat(Sweep.seeds("7, 1..2")).containsExactly(7L, 1L, 2L);
        assertThat(Sweep.seeds("-3..-2")).containsExactly(-3L, -2L);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "1..", "4..0", "1..2..3", "1,,2", "0..99999999", "99999999999999999999"})
    void seedsThatAreNoneAreRefused(String text) {
        assertThatThrownBy(() -> Sweep.seeds(text))
                .isInstanceOf(SettingException.class)
                .hasMessageContaining("'" + text + "'");
    }

    // ---- mistakes

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "a.b | set a.b is to be written as setting=value,value",
                "a=1,,2 | set a=1,,2 has an empty value",
                "a=1,1 | set a=1,1 has the value '1' twice",
                "a=1,2;a=3 | set a is there twice; give all its values at once: a=1,2",
                "train.seed=1,2 | set train.seed cannot be swept like that; give seeds with --seeds",
                "a=1e-4..1e-2 | set a has a range, from which points are drawn: say how many with --random",
                "a=1,2..3 | set a=1,2..3 has a range among its values; a range stands alone",
                "a=2..1 | takes the lower end first in '2..1'",
                "a=log:0..1 | has no logarithm at the lower end of 'log:0..1'",
                "a=1e..2 | has an end that is no number in '1e..2'"
            })
    void mistakesAreToldInASentence(String set, String message) {
        assertThatThrownBy(() -> grid(set.split(";")))
                .isInstanceOf(SettingException.class)
                .hasMessageContaining(message);
    }

    @Test
    void numbersOfRunsAreBounded() {
        List<String> much = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            much.add("a" + i + "=1,2,3,4,5,6,7,8,9,10");
        }
        assertThatThrownBy(() -> grid(much.toArray(String[]::new)))
                .hasMessageContaining("make 9223372036854775807 runs, and a sweep has at most 10000");
        assertThatThrownBy(() -> drawn(10_001, "a=1..100000")).hasMessageContaining("make 10001 runs");
        assertThatThrownBy(() -> drawn(7, "a=1..3", "b=x,y").points())
                .hasMessageContaining("random 7 is more than the 6 points that there are");
        assertThatThrownBy(() -> drawn(9, "a=1.0..1.001").points())
                .hasMessageContaining("random 9 is more than the 2 points that were found to differ");
        assertThatThrownBy(() -> drawn(2, "a=1"))
                .hasMessageContaining("takes a setting with several values or a range");
        assertThatThrownBy(() -> drawn(0, "a=1,2")).hasMessageContaining("random must be at least 1, found 0");
        assertThatThrownBy(() -> new Sweep("rings", List.of(), List.of(), List.of(1L, 1L), OptionalInt.empty()))
                .hasMessageContaining("seeds must be different");
    }
}

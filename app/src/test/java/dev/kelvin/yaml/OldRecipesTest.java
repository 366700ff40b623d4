package dev.kelvin.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kelvin.recipe.Recipe;
import dev.kelvin.recipe.Recipes;
import dev.kelvin.yaml.Node.Entry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class OldRecipesTest {
    private static Node tree(String text, String... overrides) {
        List<Problem> problems = new ArrayList<>();
        Node tree = TreeReader.file("a.yaml", text, problems);
        Node changed = Overrides.apply(Recipe.class, tree, List.of(overrides), OldRecipes::upgraded, problems);
        assertThat(problems).isEmpty();
        return changed;
    }

    /** A tree as one line of YAML. */
    private static String text(Node node) {
        if (node instanceof Node.Mapping map) {
            return map.entries().entrySet().stream()
                    .map(each -> each.getKey() + ": " + text(each.getValue().value()))
                    .collect(Collectors.joining(", ", "{", "}"));
        }
        return node instanceof Node.Items list
                ? list.items().stream().map(OldRecipesTest::text).collect(Collectors.joining(", ", "[", "]"))
                : ((Node.Scalar) node).text();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{flip: true} | {augment: [flip]}",
                "{flip: false} | {}",
                "{crop: 4} | {augment: [{crop: {padding: 4}}]}",
                "{crop: 0} | {}",
                "{resizedCrop: 0.2} | {augment: [{resized-crop: {least: 0.2}}]}",
                "{jitter: 0.5} | {augment: [{colour-jitter: {strength: 0.5}}]}",
                "{jitter: 0.0} | {}",
                "{greyscale: 0.2} | {augment: [{greyscale: {share: 0.2}}]}",
                "{greyscale: 0} | {}",
                "{set: digits, flip: false, crop: 0, jitter: 0, greyscale: 0} | {set: digits}",
                "{greyscale: 1, jitter: 2, flip: true, resizedCrop: 3, crop: 4} | {augment: [{crop: {padding: 4}},"
                        + " {resized-crop: {least: 3}}, flip, {colour-jitter: {strength: 2}}, {greyscale: {share: 1}}]}",
                "{foreign: [a, b]} | {outOfDistribution: [a, b]}",
                "{augment: [flip]} | {augment: [flip]}",
                "{augment: []} | {augment: []}",
            })
    void imagesAreSaidInTodaysWords(String old, String today) {
        assertThat(text(tree("data: {images: " + old + "}"))).isEqualTo("{data: {images: " + today + "}}");
    }

    /** So that the binder tells what is wrong, at its place. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{crop: many} | {augment: [{crop: {padding: many}}]}",
                "{crop: -1} | {augment: [{crop: {padding: -1}}]}",
                "{flip: perhaps} | {augment: [{flip: perhaps}]}",
                "{resizedCrop: 0} | {augment: [{resized-crop: {least: 0}}]}",
                "{flip: true, augment: [flip]} | {flip: true, augment: [flip]}",
                "{flip: true, augment: flip} | {flip: true, augment: flip}",
                "{foreign: [a], outOfDistribution: [b]} | {foreign: [a], outOfDistribution: [b]}",
            })
    void mistakesStay(String old, String today) {
        imagesAreSaidInTodaysWords(old, today);
    }

    @Test
    void acceptanceGoesToTheNegatives() {
        assertThat(text(tree("{time: {count: 9, acceptance: 0.7}, negatives: {steps: 1}}")))
                .isEqualTo("{time: {count: 9}, negatives: {steps: 1, adapt: {acceptance: 0.7}}}");
        assertThat(text(tree("{time: {acceptance: 0.7}, negatives: {adapt: {rate: 1}}}")))
                .isEqualTo("{time: {}, negatives: {adapt: {rate: 1, acceptance: 0.7}}}");
        assertThat(text(tree("time: {acceptance: 0.7}")))
                .isEqualTo("{time: {}, negatives: {adapt: {acceptance: 0.7}}}");
    }

    /** Chains began at the batch and had adapted steps wherever there was time. */
    @Test
    void dataWhereThereWasTimeWasTheBatch() {
        assertThat(text(tree("{time: {count: 9, acceptance: 0.7}, negatives: {start: data, steps: 1}}")))
                .isEqualTo("{time: {count: 9}, negatives: {start: batch, steps: 1, adapt: {acceptance: 0.7}}}");
        assertThat(text(tree("{time: {acceptance: 0.7}, negatives: {start: {data: {noise: 0}}}}")))
                .isEqualTo("{time: {}, negatives: {start: {batch: {noise: 0}}, adapt: {acceptance: 0.7}}}");
        assertThat(text(tree("{time: {acceptance: 0.7}, negatives: {start: gaussian}}")))
                .isEqualTo("{time: {}, negatives: {start: gaussian, adapt: {acceptance: 0.7}}}");
    }

    @Test
    void dataWhereThereIsTimeIsTheData() {
        String text = "{time: {count: 9}, negatives: {start: data}}";
        assertThat(text(tree(text))).isEqualTo(text);
        assertThat(text(tree(text, "time.acceptance=0.7")))
                .isEqualTo("{time: {count: 9}, negatives: {start: data, adapt: {acceptance: 0.7}}}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{time: {acceptance: 0.7}, negatives: {adapt: {acceptance: 0.6}}}",
                "{time: {acceptance: 0.7}, negatives: {adapt: 3}}",
                "{time: {acceptance: 0.7}, negatives: [1]}",
                "{time: [1]}",
                "{data: {toy: rings}}",
                "{data: images}",
                "[1]",
                "word",
            })
    void whatCannotBeMovedStays(String text) {
        assertThat(text(tree(text))).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{} | data.images.flip=true | {augment: [flip]}",
                "{flip: true} | data.images.flip=false | {augment: []}",
                "{flip: true} | data.images.crop=4 | {augment: [flip, {crop: {padding: 4}}]}",
                "{crop: 2, flip: true} | data.images.crop=4 | {augment: [{crop: {padding: 4}}, flip]}",
                "{augment: [{crop: {padding: 2}}, flip]} | data.images.crop=0 | {augment: [flip]}",
                "{augment: [flip]} | data.images.foreign=[a] | {augment: [flip], outOfDistribution: [a]}",
                "{outOfDistribution: [b]} | data.images.foreign=[a] | {outOfDistribution: [a]}",
                "{crop: 2} | data.images.augment.0.crop.padding=4 | {augment: [{crop: {padding: 4}}]}",
                "{flip: true} | data.images={flip: true, crop: 1} | {augment: [{crop: {padding: 1}}, flip]}",
            })
    void overridesMayBeInOldWords(String old, String override, String today) {
        assertThat(text(tree("data: {images: " + old + "}", override))).isEqualTo("{data: {images: " + today + "}}");
    }

    @Test
    void theLaterOverrideCounts() {
        String text = "{time: {count: 9}, negatives: {adapt: {acceptance: 0.6}}}";
        String said = "{time: {count: 9}, negatives: {adapt: {acceptance: %s}}}";
        assertThat(text(tree(text, "time.acceptance=0.7"))).isEqualTo(said.formatted("0.7"));
        assertThat(text(tree(text, "negatives.adapt.acceptance=0.8", "time.acceptance=0.7")))
                .isEqualTo(said.formatted("0.7"));
        assertThat(text(tree(text, "time.acceptance=0.7", "negatives.adapt.acceptance=0.8")))
                .isEqualTo(said.formatted("0.8"));
        assertThat(text(tree("{time: {count: 9}, negatives: {adapt: 0.6}}", "time.acceptance=0.7")))
                .isEqualTo(said.formatted("0.7"));
    }

    @Test
    void everythingKeepsItsPlace() {
        Node.Mapping tree = (Node.Mapping) tree("""
                time: {acceptance: 0.7}
                data:
                  images:
                    flip: true
                    crop: many
                    foreign: [a]
                """);
        Entry acceptance =
                entry(entry(entry(tree, "negatives").value(), "adapt").value(), "acceptance");
        assertThat(acceptance.key()).hasToString("a.yaml:1:8");
        assertThat(acceptance.value().place()).hasToString("a.yaml:1:20");
        Node images = entry(entry(tree, "data").value(), "images").value();
        assertThat(entry(images, "outOfDistribution").key()).hasToString("a.yaml:6:5");
        List<Node> augment = ((Node.Items) entry(images, "augment").value()).items();
        Entry padding = entry(entry(augment.get(0), "crop").value(), "padding");
        assertThat(padding.value().place()).hasToString("a.yaml:5:11");
        assertThat(augment.get(1).place()).hasToString("a.yaml:4:5");
    }

    /** Only runs write slope and guard out; before the last layer's norm could be chosen, it was there. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{slope: 0.2} | {guard: {}} | {slope: 0.2, normedOutput: true}",
                "{slope: 0.2, normedOutput: false} | {guard: {}} | {slope: 0.2, normedOutput: false}",
                "{slope: 0.2} | {batch: 8} | {slope: 0.2}",
                "{widths: [4]} | {guard: {}} | {widths: [4]}",
            })
    void whatARunWroteOfAnIgebmIsNormed(String network, String train, String today) {
        assertThat(text(tree("model: {igebm: " + network + "}\ntrain: " + train)))
                .isEqualTo("{model: {igebm: " + today + "}, train: " + train + "}");
        assertThat(text(tree("model: {igebm: {}}\ntrain: {guard: {}}", "model.igebm.slope=0.1")))
                .isEqualTo("{model: {igebm: {slope: 0.1}}, train: {guard: {}}}");
    }

    private static Entry entry(Node node, String word) {
        Map<String, Entry> entries = ((Node.Mapping) node).entries();
        assertThat(entries).containsKey(word);
        return Objects.requireNonNull(entries.get(word));
    }

    @ParameterizedTest
    @MethodSource("dev.kelvin.recipe.Recipes#names")
    void upgradingTwiceChangesNothing(String name) {
        Node once = tree(RecipeWriter.yaml(Recipes.named(name)));
        assertThat(OldRecipes.upgraded(once)).isEqualTo(once);
    }
}

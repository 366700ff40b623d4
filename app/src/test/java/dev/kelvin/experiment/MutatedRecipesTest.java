package dev.kelvin.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.kelvin.recipe.Recipes;
import dev.kelvin.recipe.Study;
import dev.kelvin.tensor.Key;
import dev.kelvin.yaml.RecipeException;
import dev.kelvin.yaml.Yaml;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever is typed into a recipe, a study or --set, it is read or refused with the words of a recipe's mistakes. */
class MutatedRecipesTest {
    /** Of each kind; -Dkelvin.mutations=50000 looks for more. */
    private static final int CASES = Integer.getInteger("kelvin.mutations", 100);

    private static final List<String> TOKENS = List.of(
            "{",
            "}",
            "[",
            "]",
            ":",
            ": ",
            ",",
            "\"",
            "'",
            "&a ",
            "*a",
            "!x ",
            "\t",
            "\0",
            "#",
            "|",
            ">",
            "%",
            "@",
            "`",
            "- ",
            "? ",
            "~",
            "null",
            "\n",
            "\r",
            "\u0085",
            "\u2028",
            "\uFEFF",
            "\uD800",
            "😀",
            "---\n",
            "...",
            "<<: ",
            "{".repeat(50),
            "[".repeat(2000),
            "- ".repeat(40),
            "a: ".repeat(3),
            "-1",
            "0",
            "-0",
            "1e999",
            "-1e-999",
            "2147483648",
            "99999999999999999999",
            "9".repeat(2000),
            ".nan",
            "NaN",
            ".inf",
            "0x",
            "0xffffffffffffffff",
            "0o7",
            "true",
            "x".repeat(300),
            "{}",
            "[]",
            "{a: }",
            "'",
            "1e9999999999",
            "..",
            "=",
            "/dev/null",
            "1_000");

    private static final List<String> PATHS = List.of(
            "train.batch",
            "train",
            "model.mlp.hidden",
            "model.mlp.hidden.0",
            "model.mlp.hidden.9",
            "model",
            "data",
            "data.toy",
            "negatives.kernel",
            "negatives.kernel.mala.stepSize",
            "negatives.buffer",
            "negatives.buffer.size",
            "negatives.start",
            "negatives.steps",
            "optimiser.adam.schedule",
            "objective",
            "name",
            "about",
            "train.seed",
            "time",
            "classes",
            "latent",
            "a..b",
            "",
            ".",
            "train.batch.x",
            "data.images.set",
            "data.table",
            "\0",
            "négatif",
            "negatives.adapt",
            "negatives.temperature",
            "terms",
            "sources",
            "takes",
            "train.guard.bound",
            "train.ema");

    private static String mutated(RandomGenerator random, String text) {
        StringBuilder changed = new StringBuilder(text);
        for (int edits = 1 + random.nextInt(2); edits > 0; edits--) {
            int at = random.nextInt(changed.length() + 1);
            int length = Math.min(random.nextInt(4), changed.length() - at);
            String token = TOKENS.get(random.nextInt(TOKENS.size()));
            switch (random.nextInt(4)) {
                case 0 -> changed.delete(at, at + Math.max(length, Math.min(1, changed.length() - at)));
                case 1 -> changed.insert(at, token);
                case 2 -> changed.replace(at, at + length, token);
                default -> changed.replace(at, valueEnd(changed, at), token);
            }
        }
        return changed.toString();
    }

    private static int valueEnd(CharSequence text, int from) {
        int to = from;
        while (to < text.length() && ",]}\n ".indexOf(text.charAt(to)) < 0) {
            to++;
        }
        return to;
    }

    private static void isReadOrRefused(String what, Runnable reading) {
        Throwable thrown = catchThrowable(reading::run);
        if (thrown != null) {
            assertThat(thrown).as(what).isInstanceOf(RecipeException.class);
            assertThat(thrown.getMessage())
                    .as(what)
                    .isNotBlank()
                    .doesNotContain("\0")
                    .hasSizeLessThan(20_000);
        }
    }

    @Test
    void aMutatedRecipeIsReadOrRefused() {
        RandomGenerator random = Key.of(1).stream();
        for (int i = 0; i < CASES; i++) {
            String file = Recipes.names().get(random.nextInt(Recipes.names().size())) + ".yaml";
            String text = mutated(random, Yaml.resource(Recipes.class, file));
            isReadOrRefused(text, () -> Recipes.parse(file, text, List.of()));
        }
    }

    @Test
    void aMutatedStudyIsReadOrRefused() {
        RandomGenerator random = Key.of(2).stream();
        for (int i = 0; i < CASES / 3; i++) {
            String file =
                    "studies/" + Study.names().get(random.nextInt(Study.names().size())) + ".yaml";
            String text = mutated(random, Yaml.resource(Study.class, file));
            isReadOrRefused(text, () -> Study.parse(file, text));
        }
    }

    @Test
    void aMutatedOverrideIsReadOrRefused() {
        RandomGenerator random = Key.of(3).stream();
        for (int i = 0; i < CASES; i++) {
            List<String> overrides = new ArrayList<>();
            for (int each = 1 + random.nextInt(2); each > 0; each--) {
                String path = PATHS.get(random.nextInt(PATHS.size()));
                String value = random.nextInt(3) == 0
                        ? mutated(random, "{mala: {stepSize: 0.1, temperature: 1}}")
                        : TOKENS.get(random.nextInt(TOKENS.size()));
                overrides.add(random.nextInt(20) == 0 ? value : path + "=" + value);
            }
            String recipe = Recipes.names().get(random.nextInt(Recipes.names().size()));
            isReadOrRefused(recipe + " " + overrides, () -> Recipes.load(recipe, overrides));
        }
    }

    /** A part that could not be read stands in no setting around it: the mistake of the YAML is all that is told. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "negatives.kernel={mala: {stepSize: 0.1}",
                "negatives.buffer={size: 100",
                "negatives.start=*a",
                "train={batch: [",
                "model={mlp: {hidden: [32"
            })
    void aForgottenBraceIsAMistakeOfTheYaml(String override) {
        assertThat(catchThrowable(() -> Recipes.load("rings", List.of(override))))
                .isInstanceOf(RecipeException.class)
                .message()
                .startsWith("--set " + override + ": ")
                .doesNotContain("\n");
    }

    /** Reading it as a number would take half a minute, and telling it a screenful of screens. */
    @ParameterizedTest
    @ValueSource(strings = {"train.iterations", "optimiser.adam.learningRate"})
    void aNumberOfAMillionDigitsIsRefusedShortly(String setting) {
        String digits = "9".repeat(1_000_000);
        assertThat(catchThrowable(() -> Recipes.load("rings", List.of(setting + "=" + digits))))
                .isInstanceOf(RecipeException.class)
                .message()
                .contains("found a number of 1000000 digits, 9999999")
                .hasSizeLessThan(1000);
    }
}

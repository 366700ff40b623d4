package dev.kelvin.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kelvin.recipe.GoodRecipe;
import dev.kelvin.recipe.Recipe;
import dev.kelvin.recipe.Recipes;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RecipeWriterTest {
    private static void assertRoundTrip(Recipe recipe) {
        String text = RecipeWriter.yaml(recipe);
        assertThat(Recipes.parse("other.yaml", text, List.of())).as(text).isEqualTo(recipe);
    }

    @ParameterizedTest
    @MethodSource("dev.kelvin.recipe.Recipes#names")
    void writesShippedRecipesSoThatTheyReadBackEqual(String name) {
        assertRoundTrip(Recipes.named(name));
    }

    @Test
    void writesEveryDefault() {
        assertThat(RecipeWriter.yaml(Recipes.parse("test.yaml", GoodRecipe.TEXT, List.of())))
                .isEqualTo("""
                        name: test
                        about: ""
                        takes: ""
                        data: {toy: rings}
                        model: {mlp: {hidden: [32, 64], activation: leaky-relu, slope: 0.05}}
                        negatives:
                          start: {gaussian: {std: 2}}
                          kernel: {langevin: {stepSize: 0.01, temperature: 1, noiseFirst: false}}
                          steps: 20
                          also: []
                          sets: 1
                        objective: {contrastive: {l2: 0, entropy: 0}}
                        terms: []
                        optimiser:
                          adam:
                            learningRate: 1e-4
                            beta1: 0.9
                            beta2: 0.999
                            epsilon: 1e-8
                            weightDecay: 0
                            schedule: {constant: {warmup: 0}}
                        train:
                          iterations: 20000
                          batch: 100
                          ema: 0
                          checkpointEvery: 1000
                          logEvery: 50
                          judgeEvery: 0
                          evaluate: newest
                          seed: 0
                          precision: float
                          guard: {bound: 1000, patience: 50, retries: 3}
                          figures: {samples: 10000, chains: 1000}
                        """);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "model.residual-mlp={width: 8, blocks: 2}",
                "negatives.start.gaussian.mean=[1.5,-2]",
                "negatives.start.uniform.high=3",
                "negatives.start.data.noise=15",
                "negatives.kernel.langevin={stepSize: 10, noise: 0.005, clip: 0.01, clamp: [0, 1], noiseFirst: true}",
                "negatives.kernel.gradient-descent={stepSize: 1, clamp: [-1, 1]}",
                "negatives.kernel.mala.stepSize=.1",
                "negatives.buffer={size: 10000, eviction: reservoir, reinitialise: 1e-3}",
                "negatives.count=3",
                "objective.robust.beta=-0.1",
                "optimiser.sgd={learningRate: .1, momentum: .9, nesterov: true, clipNorm: .5, schedule: cosine}",
                "optimiser.adamw={learningRate: 1e-3, schedule: {step: {every: 200000, factor: .1, warmup: 4000}}}",
                "optimiser.adam.schedule.exponential={every: 10, factor: .5}",
                "optimiser.adam.schedule.linear.from=.5",
                "train.seed=-9223372036854775808",
                "name=123",
                "name=null_",
                "about=true",
                "about='null'",
                "about='~'",
                "about='a: b # c, \"d\" \\ {e} [f] ''g'''",
                "about=\"\\ttab, β ≤ 1, \\U0001F600, \\u00a0, \\u0007\"",
            })
    void writesEveryCaseSoThatItReadsBackEqual(String override) {
        assertRoundTrip(Recipes.parse("test.yaml", GoodRecipe.TEXT, List.of(override)));
    }

    @Test
    void writesClasses() {
        Recipe recipe = Recipes.load("digits-classes", List.of("model.igebm.widths=[8, 8]", "classes=gains"));
        assertThat(RecipeWriter.yaml(recipe)).contains("\nclasses: gains\n");
        assertRoundTrip(recipe);
    }

    @Test
    void writesNumbersSoThatTheyReadBackEqual() {
        SplittableRandom random = new SplittableRandom(2);
        for (int i = 0; i < 100_000; i++) {
            double number = Double.longBitsToDouble(random.nextLong());
            assertThat(ScalarText.number(ScalarText.format(number))).contains(number);
        }
        assertThat(ScalarText.format(1e-4)).isEqualTo("1e-4");
        assertThat(ScalarText.format(100)).isEqualTo("100");
        assertThat(ScalarText.format(1e10)).isEqualTo("1e10");
        assertThat(ScalarText.format(-0.05)).isEqualTo("-0.05");
    }
}

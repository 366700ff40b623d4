package dev.kelvin.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kelvin.data.toy.ToyData;
import dev.kelvin.dataset.ToySettings;
import dev.kelvin.model.Precision;
import dev.kelvin.negative.Buffer;
import dev.kelvin.negative.ReplayBuffer;
import dev.kelvin.negative.Start;
import dev.kelvin.negative.Steps;
import dev.kelvin.nn.Activation;
import dev.kelvin.nn.Mlp;
import dev.kelvin.objective.Contrastive;
import dev.kelvin.objective.Robust;
import dev.kelvin.optim.Adam;
import dev.kelvin.optim.Schedule;
import dev.kelvin.part.Catalogue;
import dev.kelvin.recipe.GoodRecipe;
import dev.kelvin.recipe.ImageFigures;
import dev.kelvin.recipe.Negatives;
import dev.kelvin.recipe.Recipe;
import dev.kelvin.recipe.Recipes;
import dev.kelvin.recipe.Training;
import dev.kelvin.sample.Langevin;
import dev.kelvin.train.loop.Guard;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BinderTest {
    private static Recipe edit(String good, String other) {
        return Recipes.parse("test.yaml", GoodRecipe.TEXT.replace(good, other), List.of());
    }

    private static ToySettings toy(String name) {
        return new ToySettings(
                Objects.requireNonNull(Catalogue.ready(ToyData.class).get(name)));
    }

    @Test
    void readsTheRecipeOfTheArchitecturePage() {
        Recipe recipe = Recipes.parse("rings.yaml", """
                name: rings-robust
                data:      {toy: rings}
                model:     {mlp: {hidden: [32, 64, 64, 64], activation: leaky-relu, slope: 0.05}}
                negatives:
                  start:   {gaussian: {std: 2}}
                  kernel:  {langevin: {stepSize: 0.01}}
                  steps:   20
                objective: {robust: {beta: 0.1}}
                optimiser: {adam: {learningRate: 1e-4}}
                train:     {iterations: 20000, batch: 100}
                """, List.of());
        Langevin langevin = new Langevin(
                0.01,
                OptionalDouble.empty(),
                OptionalDouble.of(1),
                OptionalDouble.empty(),
                Optional.empty(),
                false,
                Optional.empty());
        assertThat(recipe)
                .isEqualTo(new Recipe(
                        "rings-robust",
                        "",
                        "",
                        toy("rings"),
                        new Mlp(1, List.of(32, 64, 64, 64), 1, Activation.LEAKY_RELU, 0.05),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        new Negatives(
                                new Start.GaussianStart(Optional.empty(), 2),
                                langevin,
                                Steps.of(20),
                                Optional.empty(),
                                OptionalInt.empty(),
                                Optional.empty(),
                                OptionalInt.empty(),
                                List.of(),
                                1),
                        new Robust(0.1, Robust.Variant.DEFAULT, new Schedule.Constant(0), 0),
                        List.of(),
                        new Adam(1e-4, 0.9, 0.999, 1e-8, 0, new Schedule.Constant(0), OptionalDouble.empty()),
                        new Training(
                                20000,
                                100,
                                OptionalInt.empty(),
                                0,
                                1000,
                                OptionalInt.empty(),
                                50,
                                0,
                                Training.Which.NEWEST,
                                0,
                                Precision.FLOAT,
                                new Guard.Settings(1000, 50, 3),
                                ImageFigures.DEFAULT)));
    }

    @ParameterizedTest
    @CsvSource({"1e-4, 1e-4", "1E-4, 1e-4", ".5, 0.5", "5., 5", "+3, 3", "0x10, 16", "1e0, 1"})
    void readsNumbers(String text, double number) {
        assertThat(edit("1e-4", text).optimiser().learningRate()).isEqualTo(number);
    }

    @ParameterizedTest
    @CsvSource({"1e4, 10000", "20.0, 20", "0, 0", "0o17, 15", "0x1F, 31", "2147483647, 2147483647"})
    void readsWholeNumbers(String text, int number) {
        assertThat(edit("steps: 20", "steps: " + text).negatives().steps()).isEqualTo(Steps.of(number));
    }

    @Test
    void readsSeedsOf64Bits() {
        assertThat(edit("batch: 100", "seed: -9223372036854775808").train().seed())
                .isEqualTo(Long.MIN_VALUE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"contrastive", "{contrastive: }", "{contrastive: {}}", "\n  contrastive:"})
    void readsACaseWithoutSettings(String text) {
        assertThat(edit("{contrastive: {l2: 0}}", text).objective()).isEqualTo(new Contrastive(0, 0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{toy: four-gaussians}", "{toy: 'four-gaussians'}", "{toy: {set: four-gaussians}}"})
    void readsACaseWithOneWord(String text) {
        assertThat(edit("{toy: rings}", text).data()).isEqualTo(toy("four-gaussians"));
    }

    @Test
    void readsOptionalParts() {
        Negatives negatives = edit("steps: 20", "steps: 20\n  count: 50\n  buffer: {size: 99, eviction: reservoir}")
                .negatives();
        assertThat(negatives.count()).hasValue(50);
        assertThat(negatives.buffer())
                .contains(new Buffer(99, ReplayBuffer.Entry.RESERVOIR, false, 0.05, List.of(), false, false, false));
    }

    @Test
    void takesNumbersAsTextWhereATextIsWanted() {
        assertThat(edit("name: test", "name: 2026").name()).isEqualTo("2026");
    }

    @Test
    void reportsEveryMistakeSortedByPosition() {
        String broken = """
                name: -rf
                data: {toys: rings}
                model: {mlp: {hidden: [32, 0], slope: steep}}
                negatives:
                  kernel: {langevin: {stepSize: 0,01, temperature: -1}}
                  steps: many
                  steps: *some
                objective: {robust: {l2: -1}}
                optimizer: {adam: {learningRate: fast, beta1: 1, beta2: 2}}
                train: {iterations: 0, batch: -1, guard: {bound: ".inf"}}
                """;
        assertThatThrownBy(() -> Recipes.parse("a.yaml", broken, List.of("train.ema=2", "train")))
                .hasMessage("""
                        a.yaml:1:7: name takes up to 100 letters, digits, - and _, the first not -, found '-rf'
                        a.yaml:2:8: data has no 'toys'; did you mean 'toy'? (one of toy, images, table)
                        a.yaml:3:28: hidden.1 must be at least 1, found 0
                        a.yaml:3:39: slope takes a number, found the text 'steep'
                        a.yaml:5:3: negatives lacks 'start' (where chains start)
                        a.yaml:5:33: stepSize must be above 0, found 0
                        a.yaml:5:35: langevin has no setting '01' (it takes stepSize, noise, temperature, clip, clamp, noiseFirst, anneal)
                        a.yaml:5:52: temperature must be above 0, found -1
                        a.yaml:6:10: steps takes a whole number, found the text 'many'
                        a.yaml:7:3: 'steps' is given twice, first at line 6, column 3
                        a.yaml:7:10: recipes have no aliases (*name); write the value out
                        a.yaml:8:21: beta is missing: give beta, or betaOverT (β·o)
                        a.yaml:8:26: l2 must be 0 or more, found -1
                        a.yaml:9:1: the recipe has no setting 'optimizer'; did you mean 'optimiser'? (it takes name, about, takes, data, model, classes, time, latent, baseMeasure, negatives, objective, terms, optimiser, train)
                        a.yaml:9:34: learningRate takes a number, found the text 'fast'
                        a.yaml:9:47: beta1 must be 0 or more and below 1, found 1
                        a.yaml:9:57: beta2 must be 0 or more and below 1, found 2
                        a.yaml:10:21: iterations must be at least 1, found 0
                        a.yaml:10:31: batch must be at least 1, found -1
                        a.yaml:10:50: bound takes a number, found the text '.inf' (leave out the quotes)
                        --set train.ema=2: ema must be 0 or more and below 1, found 2
                        --set train: write it as setting=value, such as train.batch=64""".stripIndent());
    }

    @Test
    void doesNotFollowCyclicAnchors() {
        assertThatThrownBy(() -> edit("{toy: rings}", "&a {toy: *a}")).hasMessage("""
                        test.yaml:2:7: recipes have no anchors (&name); leave it out
                        test.yaml:2:16: recipes have no aliases (*name); write the value out""");
        assertThatThrownBy(() -> edit("name: test", "name: &a [*a, *a]"))
                .isInstanceOf(RecipeException.class)
                .hasMessageContaining("test.yaml:1:11: recipes have no aliases")
                .hasMessageContaining("test.yaml:1:15: recipes have no aliases");
    }

    @Test
    void showsAScreenfulOfMistakes() {
        String many = numbered(1000);
        assertThatThrownBy(() -> Recipes.parse("a.yaml", many, List.of()))
                .hasMessageEndingWith("\n... and 956 more")
                .satisfies(e -> assertThat(((RecipeException) e).problems()).hasSize(1006));
    }

    private static String numbered(int count) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < count; i++) {
            text.append('x').append(i).append(": 1\n");
        }
        return text.toString();
    }
}

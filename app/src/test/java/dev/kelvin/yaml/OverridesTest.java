package dev.kelvin.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kelvin.data.toy.ToyData;
import dev.kelvin.dataset.ToySettings;
import dev.kelvin.negative.Buffer;
import dev.kelvin.negative.ReplayBuffer;
import dev.kelvin.negative.Start;
import dev.kelvin.nn.Mlp;
import dev.kelvin.objective.Robust;
import dev.kelvin.optim.Schedule;
import dev.kelvin.optim.Sgd;
import dev.kelvin.part.Catalogue;
import dev.kelvin.recipe.GoodRecipe;
import dev.kelvin.recipe.Recipe;
import dev.kelvin.recipe.Recipes;
import dev.kelvin.sample.Langevin;
import dev.kelvin.train.loop.Guard;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OverridesTest {
    private static Recipe with(String... overrides) {
        return Recipes.parse("test.yaml", GoodRecipe.TEXT, List.of(overrides));
    }

    private static ToySettings toy(String name) {
        return new ToySettings(
                Objects.requireNonNull(Catalogue.ready(ToyData.class).get(name)));
    }

    @Test
    void changesASetting() {
        Recipe recipe = with("negatives.kernel.langevin.stepSize=0.02", "train.batch = 64", "name=other");
        assertThat(((Langevin) recipe.negatives().kernel()).stepSize()).isEqualTo(0.02);
        assertThat(recipe.train().batch()).isEqualTo(64);
        assertThat(recipe.train().iterations()).isEqualTo(20000);
        assertThat(recipe.name()).isEqualTo("other");
    }

    @Test
    void addsWhatTheRecipeLeavesToItsDefault() {
        Recipe recipe =
                with("train.guard.bound=10", "negatives.buffer.size=500", "optimiser.adam.schedule.cosine.warmup=9");
        assertThat(recipe.train().guard()).isEqualTo(new Guard.Settings(10, 50, 3));
        assertThat(recipe.negatives().buffer())
                .contains(new Buffer(500, ReplayBuffer.Entry.FIFO, false, 0.05, List.of(), false, false, false));
        assertThat(recipe.optimiser().schedule()).isEqualTo(new Schedule.Cosine(0, 9));
    }

    @Test
    void replacesAnotherCaseOfAChoice() {
        Recipe recipe = with("objective.robust.beta=.5", "negatives.start=uniform", "data.toy=moons");
        assertThat(recipe.objective()).isEqualTo(new Robust(0.5, Robust.Variant.DEFAULT, new Schedule.Constant(0), 0));
        assertThat(recipe.negatives().start()).isEqualTo(new Start.UniformStart(-1, 1));
        assertThat(recipe.data()).isEqualTo(toy("moons"));
    }

    @Test
    void buildsACaseFromSeveralOverrides() {
        Recipe recipe = with("optimiser.sgd.learningRate=1", "optimiser.sgd.momentum=.9");
        assertThat(recipe.optimiser().learningRate()).isEqualTo(1);
        assertThat(((Sgd) recipe.optimiser()).momentum()).isEqualTo(0.9);
    }

    @Test
    void changesListsAndTheirElements() {
        assertThat(((Mlp) with("model.mlp.hidden=[64,64]").model()).hidden()).containsExactly(64, 64);
        assertThat(((Mlp) with("model.mlp.hidden.1=7").model()).hidden()).containsExactly(32, 7);
    }

    @Test
    void takesTheLaterOfTwo() {
        assertThat(with("train.batch=1", "train.batch=2").train().batch()).isEqualTo(2);
    }

    @Test
    void opensTheShortFormOfACase() {
        assertThat(with("data.toy.set=gmm").data()).isEqualTo(toy("gmm"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "negatives.kernel.langevin.stepsize=0.02 | langevin has no setting 'stepsize'; did you mean 'stepSize'?",
                "negatives.kernel.langevn.stepSize=0.02 | kernel has no 'langevn'; did you mean 'langevin'?",
                "negative.steps=3 | the recipe has no setting 'negative'; did you mean 'negatives'?",
                "train.batch=many | batch takes a whole number, found the text 'many'",
                "train.batch=0 | batch must be at least 1, found 0",
                "train.batch= | batch has no value; it takes a whole number",
                "train.batch.x=3 | batch takes a whole number, found a map",
                "train=3 | train takes settings (iterations, batch",
                "optimiser.adamw.beta1=.5 | adamw lacks 'learningRate'",
                "model.mlp.hidden.0=0 | hidden.0 must be at least 1, found 0",
                "model.mlp.hidden.2=8 | hidden takes a list, found a map",
                "model.mlp.hidden.99999999999=8 | hidden takes a list, found a map",
                "model.mlp.hidden=[1 | not valid YAML: expected ',' or ']'",
                "negatives.buffer.size=99 | negatives.buffer.size must be at least 100, the number of negatives",
                "name=&a b | recipes have no anchors",
                "train={batch: 1, batch: 2, iterations: 1} | 'batch' is given twice",
            })
    void reportsWhatAnOverrideBreaks(String override, String message) {
        assertThatThrownBy(() -> with(override))
                .isInstanceOf(RecipeException.class)
                .hasMessageStartingWith("--set " + override + ": " + message)
                .satisfies(e -> assertThat(((RecipeException) e).problems()).hasSize(1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "foo", "=3", "a..b=1", ".a=1", "a.=1", "="})
    void refusesMalformedOverrides(String override) {
        assertThatThrownBy(() -> with(override))
                .isInstanceOf(RecipeException.class)
                .hasMessage("--set " + override + ": write it as setting=value, such as train.batch=64");
    }

    @Test
    void refusesPathsWithoutEnd() {
        assertThatThrownBy(() -> with("a" + ".a".repeat(100_000) + "=1")).isInstanceOf(RecipeException.class);
        assertThatThrownBy(() -> with("name=" + "[".repeat(100_000)))
                .isInstanceOf(RecipeException.class)
                .hasMessageContaining("nested more than 32 levels deep");
    }
}

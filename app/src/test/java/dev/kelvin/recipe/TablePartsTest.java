package dev.kelvin.recipe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kelvin.model.TableProfile;
import dev.kelvin.optim.Adamw;
import dev.kelvin.yaml.RecipeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a recipe of a table leaves open goes by the table's size, and nothing else. */
class TablePartsTest {
    private static final TableProfile LARGE = TableProfile.of(9000, 40, true);

    @TempDir
    private Path folder;

    private String file(String text) throws IOException {
        return Files.writeString(folder.resolve("own.yaml"), text).toString();
    }

    @Test
    void theShippedRecipeIsThatOfAFewRowsUntilItsTableIsRead() {
        assertThat(Recipes.named("table")).isEqualTo(Recipes.parse("table.yaml", """
                about: A density of the rows of your own table, for anomaly scores, likelihoods and samples.
                takes: 1 min
                data: {table: {advise: true}}
                model: {mlp: {hidden: [128, 128], activation: silu}}
                baseMeasure: gaussian
                negatives:
                  start: gaussian
                  kernel: {mala: {stepSize: 0.2}}
                  steps: 8
                  sampleSteps: 120
                  buffer: {size: 128, reinitialise: 0}
                  count: 128
                  adapt: {acceptance: 0.6}
                objective: contrastive
                optimiser: {adamw: {learningRate: 1e-3, weightDecay: 0.01, clipNorm: 5, schedule: cosine}}
                train: {iterations: 2500, batch: 128, ema: 0.998, checkpointEvery: 250, evaluate: best}
                """, List.of()));
        assertThat(Recipes.open("table")).containsExactly("model", "negatives", "optimiser", "train");
    }

    @Test
    void whatIsOpenGoesByTheTable() {
        Recipe recipe = Recipes.load("table", List.of("train.seed=3"), LARGE);
        assertThat(recipe.model()).isEqualTo(LARGE.network());
        assertThat(recipe.negatives().steps().last()).isEqualTo(8);
        assertThat(recipe.optimiser().learningRate()).isEqualTo(2e-3);
        assertThat(recipe.train().iterations()).isEqualTo(5000);
        assertThat(recipe.train().checkpointEvery()).isEqualTo(500);
        assertThat(recipe.train().seed()).isEqualTo(3);
    }

    /** The power twin of the tests below: each override changes what the profile says. */
    @Test
    void anOverrideCounts() {
        Recipe recipe =
                Recipes.load("table", List.of("negatives.steps=3", "optimiser={adam: {learningRate: 1e-4}}"), LARGE);
        assertThat(recipe.negatives().steps().last()).isEqualTo(3);
        assertThat(recipe.optimiser()).isNotInstanceOf(Adamw.class);
        assertThat(recipe.train().iterations()).isEqualTo(5000);
        assertThatThrownBy(() -> Recipes.load("table", List.of("negatives.buffer.size=64"), LARGE))
                .isInstanceOf(RecipeException.class)
                .hasMessageContaining("negatives.buffer.size must be at least 128");
    }

    @Test
    void whatARecipeGivesStays() throws IOException {
        String own = file("""
                data: {table: {advise: true}}
                model: {residual-mlp: {width: 8, blocks: 1}}
                negatives: {start: gaussian, kernel: {langevin: {stepSize: 0.01}}, steps: 20}
                objective: contrastive
                optimiser: {adam: {learningRate: 1e-4}}
                """);
        assertThat(Recipes.open(own)).containsExactly("train");
        Recipe few = Recipes.load(own, List.of());
        Recipe many = Recipes.load(own, List.of(), LARGE);
        assertThat(many.train().iterations()).isEqualTo(5000);
        assertThat(many.model()).isEqualTo(few.model());
        assertThat(many.negatives()).isEqualTo(few.negatives());
        assertThat(many.negatives().buffer()).isEmpty();
        assertThat(many.optimiser()).isEqualTo(few.optimiser());
    }

    @Test
    void nothingIsOpenWithoutAWordOfIt() throws IOException {
        String own = file("""
                data: {table: {}}
                objective: contrastive
                """);
        assertThat(Recipes.open(own)).isEmpty();
        assertThatThrownBy(() -> Recipes.load(own, List.of()))
                .hasMessageContaining("the recipe lacks 'model'")
                .hasMessageContaining("the recipe lacks 'train'");
    }
}

package dev.kelvin.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kelvin.recipe.Recipe;
import dev.kelvin.recipe.Recipes;
import org.junit.jupiter.api.Test;

/** What is chosen for tables of all sizes. */
class TableAdviceTest {
    @Test
    void goesBySize() {
        TableAdvice few = TableAdvice.of(700, 12, false);
        TableAdvice many = TableAdvice.of(6000, 12, false);
        assertThat(few.iterations()).isLessThan(many.iterations());
        assertThat(TableAdvice.of(6000, 60, false).steps()).isGreaterThan(many.steps());
        assertThat(TableAdvice.of(6000, 12, true).learningRate()).isGreaterThan(many.learningRate());
    }

    /** Every setting that it names is one of the recipe, and checkpoints are scored ten times. */
    @Test
    void fitsTheRecipeFromTheSmallestTableToTheLargest() {
        for (int rows : new int[] {1, 40, 1999, 2000, 1_000_000}) {
            for (int columns : new int[] {1, 2, 29, 30, 100}) {
                TableAdvice advice = TableAdvice.of(rows, columns, columns % 2 == 0);
                Recipe recipe = Recipes.load("table", advice.overrides());
                assertThat(recipe.train().iterations())
                        .isEqualTo(10 * recipe.train().checkpointEvery());
                assertThat(recipe.negatives().count()).hasValue(advice.chains());
            }
        }
    }

    @Test
    void saysWhatAndWhy() {
        assertThat(TableAdvice.of(700, 12, true).words())
                .startsWith(
                        "700 rows of 12 columns to train on: two hidden layers of 128 units, 5000 iterations, 128 chains that"
                                + " take 4 steps each;");
        assertThat(TableAdvice.of(9000, 50, true).words()).contains("because chains mix the more slowly");
    }
}

package dev.kelvin.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kelvin.recipe.GoodRecipe;
import dev.kelvin.recipe.Recipe;
import dev.kelvin.recipe.Recipes;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Recipes that runs of the last version wrote are read; those that users wrote are refused with today's word. */
class LastVersionTest {
    private static final String CHANNELS_LAST = GoodRecipe.TEXT.replace("train: {", "train: {channelsLast: false, ");

    @Test
    void aSettingThatIsGoneIsDroppedAtItsDefault() {
        Recipe now = Recipes.parse("a.yaml", GoodRecipe.TEXT, List.of());
        assertThat(CHANNELS_LAST).isNotEqualTo(GoodRecipe.TEXT);
        assertThat(Recipes.ofRun("a.yaml", CHANNELS_LAST, List.of())).isEqualTo(now);
        assertThatThrownBy(() -> Recipes.ofRun("a.yaml", CHANNELS_LAST.replace("false", "true"), List.of()))
                .isInstanceOf(RecipeException.class)
                .hasMessageContaining("train has no setting 'channelsLast'");
        assertThatThrownBy(() -> Recipes.ofRun("a.yaml", GoodRecipe.TEXT, List.of("train.channelsLast=false")))
                .isInstanceOf(RecipeException.class)
                .hasMessageContaining("train has no setting 'channelsLast'");
    }

    private static final String BUFFERS =
            GoodRecipe.TEXT.replace("steps: 20", """
                    steps: 20
                      buffer: {size: 200, %s: reservoir, %s: true}
                      also: [{share: 0.5, start: data, kernel: {langevin: {stepSize: 0.1}}, steps: 1, buffer: {size: 200, %s: reservoir}}]\
                    """.strip()).replace("train: {", "%s: gaussian\ntrain: {%s: best, ");

    private static final String TIME = GoodRecipe.TEXT
            .replace("{contrastive: {l2: 0}}", "cd-ce")
            .replace("train:", "time: {count: 3, annealing: {%s: basic}}\ntrain:");

    @Test
    void aSettingThatIsCalledOtherwiseIsRead() {
        Recipe now = Recipes.parse(
                "a.yaml",
                BUFFERS.formatted("eviction", "insertAllEnds", "eviction", "baseMeasure", "evaluate"),
                List.of());
        String old = BUFFERS.formatted("kind", "everyEnd", "kind", "base", "judged");
        assertThat(Recipes.ofRun("a.yaml", old, List.of())).isEqualTo(now);
        assertThat(Recipes.ofRun("a.yaml", TIME.formatted("way"), List.of()))
                .isEqualTo(Recipes.parse("a.yaml", TIME.formatted("schedule"), List.of()));
        assertThatThrownBy(() -> Recipes.parse("a.yaml", old, List.of()))
                .isInstanceOf(RecipeException.class)
                .hasMessageContaining("a.yaml:8:23: 'kind' is called 'eviction' now")
                .hasMessageContaining("'everyEnd' is called 'insertAllEnds' now")
                .hasMessageContaining("'base' is called 'baseMeasure' now")
                .hasMessageContaining("'judged' is called 'evaluate' now")
                .message()
                .hasLineCount(5);
    }

    @Test
    void anOverrideIsAUsers() {
        List<String> old = List.of("train.judged=best");
        assertThatThrownBy(() -> Recipes.ofRun("a.yaml", CHANNELS_LAST, old))
                .isInstanceOf(RecipeException.class)
                .hasMessage("--set train.judged=best: 'judged' is called 'evaluate' now");
    }

    @Test
    void aUsersRecipeIsRefused() {
        assertThatThrownBy(() -> Recipes.parse("a.yaml", CHANNELS_LAST, List.of()))
                .isInstanceOf(RecipeException.class)
                .hasMessageContaining("train has no setting 'channelsLast'");
    }
}

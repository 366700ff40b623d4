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

    @Test
    void aUsersRecipeIsRefused() {
        assertThatThrownBy(() -> Recipes.parse("a.yaml", CHANNELS_LAST, List.of()))
                .isInstanceOf(RecipeException.class)
                .hasMessageContaining("train has no setting 'channelsLast'");
    }
}

package dev.kelvin.experiment;

import dev.kelvin.dataset.Data;
import dev.kelvin.dataset.TableDataset;
import dev.kelvin.model.TableProfile;
import dev.kelvin.part.SettingException;
import dev.kelvin.recipe.Recipe;
import dev.kelvin.recipe.Recipes;
import dev.kelvin.yaml.RecipeException;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * A recipe that is asked for, by its name or its file, with changes such as {@code train.batch=64}.
 *
 * @param moved the recipe with its data where they are said to be
 */
public record RecipeChoice(String nameOrFile, List<String> overrides, UnaryOperator<Recipe> moved) {
    public RecipeChoice {
        overrides = List.copyOf(overrides);
    }

    /** The recipe, before its data are opened. */
    public Recipe recipe() {
        return recipe(TableProfile.UNREAD);
    }

    private Recipe recipe(TableProfile profile) {
        return described(moved.apply(Recipes.load(nameOrFile, overrides, profile)), overrides)
                .located();
    }

    /** That recipe, in which what it leaves open is chosen by the size of the table that was opened; this is told. */
    public Recipe advised(Recipe asked, Data opened, Consumer<String> told) {
        if (!asked.data().wantsAdvice() || !(opened instanceof TableDataset table)) {
            return asked;
        }
        TableDataset.Advice advice = TableDataset.Advice.of(table);
        told.accept(advice.words(Recipes.open(nameOrFile)));
        return recipe(advice.profile()).advised();
    }

    /** The refusal of a setting that only the data could refuse, at its line. */
    public RecipeException refused(SettingException e) {
        return Recipes.refused(nameOrFile, overrides, e);
    }

    /** A recipe's description holds for its own settings; training it longer or elsewhere changes none of those. */
    public static Recipe described(Recipe chosen, List<String> overrides) {
        boolean same = overrides.stream()
                .allMatch(override -> override.strip().matches("(?s)(name|about|takes|train|optimiser)\\b.*"));
        boolean described = overrides.stream().anyMatch(override -> override.matches("(?s)\\s*about\\s*=.*"));
        return same || described ? chosen : chosen.withoutWords();
    }
}

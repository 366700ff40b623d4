package dev.kelvin.sweep;

import dev.kelvin.dataset.Data;
import dev.kelvin.dataset.DataSettings;
import dev.kelvin.experiment.Experiment;
import dev.kelvin.experiment.RecipeChoice;
import dev.kelvin.part.Check;
import dev.kelvin.part.SettingException;
import dev.kelvin.recipe.Recipe;
import dev.kelvin.tensor.Device;
import dev.kelvin.yaml.Problem;
import dev.kelvin.yaml.RecipeException;
import dev.kelvin.yaml.SettingPaths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/** A sweep of which it is known, before anything is trained, that each point is a recipe, that it fits its data, and that no two are the same. */
public record SweepPlan(Sweep sweep, List<SweepPoint> points, List<Recipe> recipes) {
    public SweepPlan {
        points = List.copyOf(points);
        recipes = List.copyOf(recipes);
    }

    /**
     * Binds the recipe of every point and opens the data.
     *
     * @param moved the recipe with its data where they are said to be
     * @throws RecipeException with everything that is wrong with any of them
     */
    public static SweepPlan of(Sweep sweep, UnaryOperator<Recipe> moved, Device device) {
        List<SweepPoint> points = sweep.points();
        List<RecipeChoice> choices = points.stream()
                .map(point -> new RecipeChoice(sweep.recipe(), sweep.overrides(point), moved))
                .toList();
        Recipe[] recipes = new Recipe[points.size()];
        Problems problems = new Problems();
        for (int i = 0; i < recipes.length; i++) {
            int each = i;
            problems.check(
                    choices.get(i), () -> recipes[each] = choices.get(each).recipe());
        }
        problems.raise();
        refuseEqual(points, recipes);
        Map<DataSettings, List<Integer>> byData = new LinkedHashMap<>();
        for (int i = 0; i < recipes.length; i++) {
            byData.computeIfAbsent(recipes[i].data(), data -> new ArrayList<>()).add(i);
        }
        byData.values()
                .forEach(some -> problems.check(choices.get(some.get(0)), () -> {
                    try (Data data = Experiment.open(recipes[some.get(0)], Device.CPU)) {
                        for (int i : some) {
                            problems.check(choices.get(i), () -> {
                                recipes[i] = choices.get(i).advised(recipes[i], data, told -> {});
                                Experiment.requireFit(recipes[i], data, device);
                            });
                        }
                    }
                }));
        problems.raise();
        return new SweepPlan(sweep, points, Arrays.asList(recipes));
    }

    private static void refuseEqual(List<SweepPoint> points, Recipe[] recipes) {
        Map<Map<String, String>, SweepPoint> known = new HashMap<>();
        for (int i = 0; i < recipes.length; i++) {
            SweepPoint here = points.get(i);
            SweepPoint first = known.putIfAbsent(SettingPaths.of(recipes[i]), here);
            Check.require(
                    first == null,
                    "set",
                    first == null
                            ? ""
                            : "makes the same recipe twice: by " + first.words() + ", and by " + here.words()
                                    + "; leave one of them out");
        }
    }

    /** What is wrong with recipes, each mistake once, however many of them have it. */
    private static final class Problems {
        private final Set<Problem> found = new LinkedHashSet<>();

        void check(RecipeChoice choice, Runnable check) {
            try {
                check.run();
            } catch (RecipeException e) {
                found.addAll(e.problems());
            } catch (SettingException e) {
                found.addAll(choice.refused(e).problems());
            }
        }

        void raise() {
            if (!found.isEmpty()) {
                throw new RecipeException(List.copyOf(found));
            }
        }
    }
}

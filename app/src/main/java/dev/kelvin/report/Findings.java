package dev.kelvin.report;

import dev.kelvin.metric.Verdict;
import dev.kelvin.recipe.DataSpec;
import dev.kelvin.recipe.Recipe;
import dev.kelvin.run.Evaluation;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleFunction;

/** What a recipe and its figures say, in sentences, by the kind of the data. */
sealed interface Findings permits PlaneFindings, ImageFindings {
    static Findings of(Recipe recipe, Evaluation evaluation) {
        return recipe.data() instanceof DataSpec.Images
                ? new ImageFindings(recipe, evaluation)
                : new PlaneFindings(recipe, evaluation);
    }

    Recipe recipe();

    Evaluation evaluation();

    /** What came out, in one sentence. */
    String lead();

    /** The figures that were measured, each with what it means. */
    List<Measure> measures();

    /** What is wrong; nothing where all is well. */
    List<String> warnings();

    /** The recipe in words. */
    default List<String> story() {
        List<String> story = new ArrayList<>();
        if (!recipe().about().isEmpty()) {
            story.add(recipe().about());
        }
        story.add(RecipeWords.model(recipe()));
        story.add(RecipeWords.negatives(recipe()));
        story.add(RecipeWords.training(recipe()));
        return story;
    }

    /** The first few measures that have a verdict. */
    default List<Measure> highlights() {
        return measures().stream()
                .filter(measure -> measure.verdict() != Verdict.NONE)
                .limit(4)
                .toList();
    }

    /** Adds a figure, where it was measured. */
    default void add(
            List<Measure> measures, String figure, String name, String meaning, DoubleFunction<Verdict> verdict) {
        evaluation()
                .figure(figure)
                .ifPresent(value -> measures.add(new Measure(name, value, meaning, verdict.apply(value))));
    }

    /** Adds one that has no verdict. */
    default void add(List<Measure> measures, String figure, String name, String meaning) {
        add(measures, figure, name, meaning, value -> Verdict.NONE);
    }
}

package dev.kelvin.judge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kelvin.judge.Finding.Advice;
import dev.kelvin.judge.Finding.How;
import dev.kelvin.objective.Robust;
import dev.kelvin.recipe.Recipe;
import dev.kelvin.recipe.Recipes;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SuggestionsTest {
    static List<Advice> all(Recipe recipe) {
        Suggestions remedies = new Suggestions(recipe);
        return Stream.of(
                        remedies.trainLonger(),
                        remedies.trainShorter(),
                        remedies.moreSteps(),
                        remedies.robust(),
                        remedies.replayBuffer(),
                        remedies.average(),
                        remedies.smallerLearningRate(),
                        remedies.penalty(),
                        remedies.smallerBeta(),
                        remedies.moreNoise(),
                        remedies.longerSamples(100),
                        remedies.judgeLongerChains(),
                        remedies.smallerSteps(),
                        remedies.largerSteps(),
                        remedies.higherPower(),
                        remedies.withoutPriorDraws())
                .flatMap(Optional::stream)
                .toList();
    }

    /** A recipe of each kind: every setting that is advised is its own, and changes it to one that is allowed. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "table",
                "gmm",
                "rings-robust",
                "spiral-cdce",
                "digits-shortrun",
                "digits-jem-robust",
                "digits-sada-jem",
                "digits-improved-cd",
                "digits-time-jointcd",
                "digits-latent",
                "cifar10-jem"
            })
    void everyAdviceFitsItsRecipe(String name) {
        Recipe recipe = Recipes.named(name);
        List<Advice> advice = all(recipe);
        assertThat(advice).hasSizeGreaterThan(3);
        for (Advice each : advice) {
            if (each.how() == How.SAMPLE) {
                continue;
            }
            List<String> overrides = new ArrayList<>(each.options());
            overrides.removeIf("--set"::equals);
            assertThat(Recipes.load(name, overrides)).as(each.toString()).isNotEqualTo(recipe);
        }
    }

    /** A noise of its own follows the step size, so that the temperature σ²/2h stays. */
    @Test
    void theTemperatureStays() {
        Recipe recipe = Recipes.named("digits-shortrun");
        Advice smaller = new Suggestions(recipe).smallerSteps().orElseThrow();
        List<String> overrides = new ArrayList<>(smaller.options());
        overrides.removeIf("--set"::equals);
        assertThat(overrides).hasSize(2);
        Recipe changed = Recipes.load("digits-shortrun", overrides);
        assertThat(changed.negatives().temperature() / recipe.negatives().temperature())
                .isBetween(0.98, 1.02); // three digits are written
    }

    /** β follows the temperature, whatever that is, and the rest of the objective stays. */
    @Test
    void theRobustObjectiveIsGentleAtEveryTemperature() {
        Recipe igebm = Recipes.named("digits-igebm");
        List<String> overrides =
                new ArrayList<>(new Suggestions(igebm).robust().orElseThrow().options());
        overrides.removeIf("--set"::equals);
        Recipe changed = Recipes.load("digits-igebm", overrides);
        assertThat(changed.objective()).isInstanceOf(Robust.class);
        assertThat(((Robust) changed.objective()).betaOverT()).hasValue(0.5);
        assertThat(changed.objective().l2()).isEqualTo(igebm.objective().l2()).isPositive();
        Recipe climbing = Recipes.load("gmm", List.of("negatives.kernel={gradient-descent: {stepSize: 0.01}}"));
        assertThat(new Suggestions(climbing).robust()).isEmpty();
    }

    @Test
    void whatIsThereIsNotAdvised() {
        assertThat(new Suggestions(Recipes.named("gmm-robust")).robust()).isEmpty();
        assertThat(new Suggestions(Recipes.named("gmm")).replayBuffer()).isEmpty();
        assertThat(new Suggestions(Recipes.named("gmm")).average()).isEmpty();
        assertThat(new Suggestions(Recipes.named("digits-latent")).judgeLongerChains())
                .isEmpty();
    }

    /** Where training holds samples of the prior at a weight, and only there. */
    @Test
    void drawsOfThePriorAreAdvisedAgainst() {
        assertThat(new Suggestions(Recipes.named("digits-latent")).higherPower())
                .isEmpty();
        assertThat(new Suggestions(Recipes.named("digits-latent")).withoutPriorDraws())
                .isEmpty();
        Recipe low = Recipes.load("digits-latent", List.of("latent.integration={power: 0.1}"));
        assertThat(new Suggestions(low).higherPower().orElseThrow().options()).contains("latent.integration.power=3");
        for (Advice each : List.of(
                new Suggestions(low).higherPower().orElseThrow(),
                new Suggestions(low).withoutPriorDraws().orElseThrow())) {
            List<String> overrides = new ArrayList<>(List.of("latent.integration={power: 0.1}"));
            overrides.addAll(each.options());
            overrides.removeIf("--set"::equals);
            double weight = Recipes.load("digits-latent", overrides)
                    .latent()
                    .orElseThrow()
                    .integration()
                    .orElseThrow()
                    .priorWeight();
            assertThat(weight).isLessThan(0.001);
        }
    }

    @Test
    void commandsNameTheRunAsAShellReadsIt() {
        Finding finding = Finding.of(
                Finding.About.MODEL,
                "It is bad.",
                new Suggestions(Recipes.named("gmm")).moreSteps(),
                new Suggestions(Recipes.named("gmm")).trainLonger());
        assertThat(finding.sentence())
                .isEqualTo("It is bad. To try: train with chains of 20 steps; train twice as long.");
        assertThat(finding.commands(Path.of("my runs", "a")))
                .containsExactly(
                        "kelvin train 'my runs/a/recipe.yaml' --set negatives.steps=20",
                        "kelvin train --resume 'my runs/a' --set train.iterations="
                                + 2 * Recipes.named("gmm").train().iterations());
    }
}

package dev.kelvin.recipe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kelvin.model.TableProfile;
import dev.kelvin.part.SettingException;
import dev.kelvin.yaml.RecipeException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What cannot be divided into shards is refused before anything is opened, with the reason. */
class ShardRulesTest {
    private static Recipe load(String name, String... overrides) {
        return Recipes.load(name, List.of(overrides), TableProfile.UNREAD);
    }

    static Stream<Arguments> refused() {
        return Stream.of(
                Arguments.of(
                        "rings",
                        List.of("train.shards=3"),
                        "shards must be a power of two, because gradients are added"),
                Arguments.of("rings", List.of("train.shards=0"), "shards must be at least 1, found 0"),
                Arguments.of("rings", List.of("train.shards=8"), "train.shards must divide train.batch, 100, found 8"),
                Arguments.of(
                        "rings",
                        List.of("train.shards=4", "negatives.count=102"),
                        "train.shards must divide the number of chains of negatives, 102, found 4"),
                Arguments.of(
                        "rings",
                        List.of("train.shards=4", "negatives.buffer.size=9999"),
                        "train.shards must divide negatives.buffer.size, 9999, found 4"),
                Arguments.of(
                        "rings",
                        List.of(
                                "train.shards=4",
                                "negatives.also=[{share: 0.25, start: data, kernel: {mala: {stepSize: 0.01}}, steps: 10}]"),
                        "train.shards must divide the number of chains of negatives.also.0, 25, found 4"),
                Arguments.of(
                        "digits-jem",
                        List.of("train.shards=4", "data.images.labelled={batch: 30}"),
                        "train.shards must divide data.images.labelled.batch, 30, found 4"),
                Arguments.of(
                        "digits-latent",
                        List.of("train.shards=2"),
                        "train.shards cannot be combined with latent, whose generator learns from posterior chains"),
                Arguments.of(
                        "digits-cooperative",
                        List.of("train.shards=2"),
                        "train.shards cannot be combined with chains that start at a generator's images (negatives.start)"),
                Arguments.of(
                        "rings",
                        List.of("train.shards=4", "negatives.kernel={svgd: {stepSize: 0.1}}", "negatives.sets=2"),
                        "train.shards cannot divide one set of particles of svgd, which push each other, as all chains of"
                                + " negatives must be in one shard: let negatives.sets be a multiple of 4"),
                Arguments.of(
                        "digits-time-small",
                        List.of("train.shards=4", "objective=conditional-cd", "negatives.buffer={size: 64}"),
                        "negatives.buffer.size must be at least the number of times, 32, times train.shards, 4, found 64"));
    }

    @ParameterizedTest
    @MethodSource
    void refused(String recipe, List<String> overrides, String reason) {
        assertThatThrownBy(() -> Recipes.load(recipe, overrides, TableProfile.UNREAD))
                .isInstanceOf(RecipeException.class)
                .hasMessageContaining(reason);
    }

    /** How many classes there are is known when the data are open. */
    @Test
    void eachShardHasASlotForEachClass() {
        Recipe recipe = load("digits-jem", "train.shards=4", "objective=conditional-cd", "negatives.buffer.size=64");
        assertThatThrownBy(() -> recipe.requireFit(List.of(1L, 8L, 8L), 20))
                .isInstanceOf(SettingException.class)
                .hasMessageContaining("at least 20, a slot for each class, times train.shards, 4, found 64");
        recipe.requireFit(List.of(1L, 8L, 8L), 16);
    }

    @Test
    void particlesInSetsOfAShardAreDivided() {
        Recipe recipe =
                load("rings", "train.shards=2", "negatives.kernel={svgd: {stepSize: 0.1}}", "negatives.sets=10");
        assertThat(recipe.train().shardCount()).isEqualTo(2);
    }

    /** Of the recipes that ship, latent ones, those with a generator of starts and those with one set of particles. */
    @Test
    void otherRecipesAreDividedAsTheyAre() {
        Map<String, String> refused = new TreeMap<>();
        for (String name : Recipes.names()) {
            try {
                load(name, "train.shards=2");
            } catch (RecipeException e) {
                refused.put(name, String.valueOf(e.getMessage()));
            }
        }
        assertThat(refused.values())
                .allSatisfy(reason -> assertThat(reason)
                        .containsAnyOf("combined with latent", "a generator's images", "one set of particles"));
        assertThat(refused)
                .containsKeys("digits-latent", "digits-cooperative")
                .hasSizeLessThan(Recipes.names().size() / 2);
    }
}

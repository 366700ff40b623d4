package dev.kelvin.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kelvin.metric.figure.Figure;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ComparedRunsTest {
    private static ComparedRuns.Run run(
            String name, Map<String, Double> figures, Map<String, String> notes, String... set) {
        Map<String, String> settings = new HashMap<>(Map.of("data.toy", "gmm"));
        for (int i = 0; i < set.length; i += 2) {
            settings.put(set[i], set[i + 1]);
        }
        return new ComparedRuns.Run(name, figures, notes, settings, settings.getOrDefault("data.toy", ""));
    }

    private static ComparedRuns.Run run(String name, Map<String, Double> figures, String... set) {
        return run(name, figures, Map.of(), set);
    }

    private static Optional<String> best(ComparedRuns runs) {
        return runs.ranking().flatMap(runs::best).map(ComparedRuns.Group::name);
    }

    /** Of 1, 2, 3 the median is 2. */
    @Test
    void seedsOfOneRecipeAreAGroup() {
        ComparedRuns runs = new ComparedRuns(List.of(
                run("a", Map.of("kl", 1.0), "train.seed", "0", "name", "a"),
                run("other", Map.of("kl", 1.5), "train.seed", "0", "train.batch", "7"),
                run("b", Map.of("kl", 2.0), "train.seed", "1", "name", "b"),
                run("c", Map.of("kl", 3.0), "train.seed", "2")));
        assertThat(runs.groups()).extracting(ComparedRuns.Group::name).containsExactly("a (3 seeds)", "other");
        assertThat(runs.groups().get(0).words(Figure.named("kl"))).isEqualTo("2 (1 to 3)");
        assertThat(best(runs)).contains("other");
        assertThat(runs.remarks()).isEmpty();
    }

    @Test
    void imagesAreRankedByTheirDistanceAndNotByTheFeaturesClassifier() {
        Map<String, String> features =
                Map.of("features", "f", "accuracy_of", "the feature classifier, on the held-out images");
        Map<String, String> own = Map.of("features", "f", "accuracy_of", "the model's own p(y|x), on …");
        ComparedRuns runs = new ComparedRuns(List.of(
                run("plain", Map.of("accuracy", 0.99, "fid", 3.0, "fid_gaussian", 30.0, "ece", 0.01), features),
                run(
                        "joint",
                        Map.of("accuracy", 0.9, "fid", 5.0, "fid_gaussian", 30.0, "ece", 0.1),
                        own,
                        "classes",
                        "head")));
        assertThat(runs.ranking()).map(Figure::name).contains("fid");
        assertThat(best(runs)).contains("plain");
        assertThat(runs.shown()).extracting(Figure::name).doesNotContain("accuracy", "ece", "kl");
        assertThat(runs.runs().get(0).figures()).doesNotContainKeys("accuracy", "ece");
        assertThat(runs.runs().get(1).figures()).containsKeys("accuracy", "ece");
    }

    @Test
    void otherFeaturesAreNotCompared() {
        ComparedRuns runs = new ComparedRuns(List.of(
                run("a", Map.of("fid", 3.0), Map.of("features", "f")),
                run("b", Map.of("fid", 5.0), Map.of("features", "g"), "train.batch", "7")));
        assertThat(best(runs)).isEmpty();
        assertThat(runs.remarks()).singleElement().asString().contains("different features (f; g)");
    }

    /** FID of fewer images is higher. */
    @Test
    void otherNumbersOfImagesAreNotCompared() {
        Map<String, String> features = Map.of("features", "f");
        ComparedRuns runs = new ComparedRuns(List.of(
                run("a", Map.of("fid", 3.0, "n", 5000.0, "kid", 2.0), features),
                run("b", Map.of("fid", 5.0, "n", 1000.0, "kid", 1.0), features, "train.batch", "7")));
        assertThat(runs.ranking()).map(Figure::name).contains("fid");
        assertThat(best(runs)).isEmpty();
        assertThat(runs.best(Figure.named("kid"))).map(ComparedRuns.Group::name).contains("b");
        assertThat(runs.remarks()).singleElement().asString().contains("different numbers of images");
    }

    @Test
    void otherDataAreNotCompared() {
        ComparedRuns same = new ComparedRuns(
                List.of(run("a", Map.of("kl", 1.0)), run("b", Map.of("kl", 2.0), "data.toy", "rings")));
        assertThat(best(same)).isEmpty();
        assertThat(same.shown()).extracting(Figure::name).containsExactly("kl");
        assertThat(same.remarks()).singleElement().asString().contains("different data (gmm, rings)");
        ComparedRuns apart = new ComparedRuns(
                List.of(run("a", Map.of("kl", 1.0)), run("b", Map.of("fid", 2.0), "data.toy", "digits")));
        assertThat(apart.ranking()).isEmpty();
        assertThat(apart.shown()).isEmpty();
        assertThat(apart.remarks()).hasSize(2);
    }

    @Test
    void theLikelierIsBetter() {
        ComparedRuns runs = new ComparedRuns(List.of(
                run("a", Map.of("log_likelihood", -3.0)),
                run("b", Map.of("log_likelihood", -1.0), "train.batch", "7")));
        assertThat(best(runs)).contains("b");
        assertThat(ComparedRuns.direction(Figure.named("log_likelihood"))).isEqualTo("higher is better");
    }

    /** A run that broke has NaN, which is no reason to call it or another best by mistake. */
    @Test
    void oneThatBrokeIsNotBest() {
        ComparedRuns runs = new ComparedRuns(List.of(
                run("a", Map.of("kl", Double.NaN)),
                run("b", Map.of("kl", 2.0), "train.batch", "7"),
                run("c", Map.of("kl", 1.0), "train.batch", "8")));
        assertThat(best(runs)).contains("c");
    }

    @Test
    void runsAreRankedByAFigureThatTwoHave() {
        assertThat(new ComparedRuns(List.of(
                                run("a", Map.of("n", 1.0, "fid", 3.0)),
                                run("b", Map.of("fid", 2.0, "kl", 1.0), "train.batch", "7")))
                        .ranking())
                .map(Figure::name)
                .contains("fid");
        assertThat(new ComparedRuns(List.of(run("a", Map.of("n", 1.0)), run("b", Map.of("n", 2.0)))).ranking())
                .isEmpty();
    }
}

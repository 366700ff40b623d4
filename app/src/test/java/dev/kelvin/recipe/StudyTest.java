package dev.kelvin.recipe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kelvin.yaml.RecipeException;
import dev.kelvin.yaml.RecipeWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class StudyTest {
    private static final String STUDY = """
            name: a
            paper: "000: p"
            about: b
            scale: c
            seeds: 2
            runs: [{name: r, recipe: rings}]
            chains: [{name: w, run: r, steps: 100, kernel: {mala: {stepSize: 1}}}]
            claims: [{id: i, place: p, says: s, rule: w.rhat < 2}]
            plots: [{title: t, says: s, figure: tv, against: p, runs: [r], at: [1], logarithmic: true}]
            """;

    @ParameterizedTest
    @MethodSource("dev.kelvin.recipe.Study#names")
    void shippedStudiesAreSound(String name) {
        Study study = Study.named(name);
        assertThat(study.name()).isEqualTo(name);
        study.runs().forEach(run -> assertThat(run.recipe(3).train().seed()).isEqualTo(3));
        assertThat(study.claims()).isNotEmpty();
        Set<String> iterations = study.runs().stream()
                .map(run -> String.valueOf(run.recipe(3).train().iterations()))
                .collect(Collectors.toSet());
        Pattern.compile("(\\d+) iterations")
                .matcher(study.scale())
                .results()
                .forEach(told -> assertThat(iterations).contains(told.group(1)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "rule: w.rhat < 2 | rule: w.rhat | must compare two expressions",
                "rule: w.rhat < 2 | rule: w.rhat < 2 < 3 | must compare two expressions",
                "rule: w.rhat < 2 | rule: v.rhat < 2 | asks for v.rhat, which nothing measures",
                "run: r, | run: s, | which is not there",
                "name: w | name: r | has two of the name 'r'",
                "seeds: 2 | seeds: 0 | seeds must be at least 1",
                "steps: 100 | steps: 3 | steps must be at least 24",
                "rule: w.rhat < 2 | rule: sd(v.rhat) < 2 | asks for v.rhat, which nothing measures",
                "rule: w.rhat < 2 | rule: max(w.rhat) < 2 | must compare two expressions",
                "rule: w.rhat < 2 | rule: largest(w.rhat, 1) < 2 | must compare two expressions",
                "rule: w.rhat < 2 | rule: (w.rhat < 2 | must compare two expressions",
                "rule: w.rhat < 2 | rule: w.rhat -1 < 2 | must compare two expressions",
                "at: [1] | at: [1, 2] | takes a number for each of the 1 runs, found 2",
                "at: [1] | at: [0] | must be above 0 where the axis is logarithmic",
                "runs: [r], at | runs: [s], at | asks for s.tv, which nothing measures",
                "figure: tv | figure: tvv | asks for r.tvv, but 'r' has no figure 'tvv'"
            })
    void mistakesAreTold(String right, String wrong, String message) {
        assertThat(STUDY).contains(right);
        assertThatThrownBy(() -> Study.parse("a.yaml", STUDY.replace(right, wrong)))
                .isInstanceOf(RecipeException.class)
                .hasMessageContaining("a.yaml:")
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "r.diverged < 1",
                "r.tv < 1",
                "r.auroc_noise < w.acceptance",
                "r.auroc_a_set_of_mine < 1",
                "w.rhat + w.rhat_low + w.rhat_high + w.rank_rhat < w.ess",
            })
    void rulesAskForDeclaredFigures(String rule) {
        Study study = Study.parse("a.yaml", STUDY.replace("w.rhat < 2", rule));
        assertThat(study.claims().get(0).rule()).isEqualTo(rule);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "r.tvv < 1 | asks for r.tvv, but 'r' has no figure 'tvv'; did you mean 'tv'? (it has kl, tv, edge_mass,",
                "r.aurocc < 1 | asks for r.aurocc, but 'r' has no figure 'aurocc'; did you mean 'auroc'? (it has kl, tv,",
                "r.nothing < 1 | asks for r.nothing, but 'r' has no figure 'nothing' (it has kl, tv,",
                "w.tv < 1 | asks for w.tv, but 'w' has no figure 'tv' (it has rhat, rhat_low, rhat_high, rank_rhat, ess, acceptance)",
            })
    void refusesFiguresThatNothingDeclares(String rule, String message) {
        String study = STUDY.replace("w.rhat < 2", rule);
        assertThatThrownBy(() -> Study.parse("a.yaml", study))
                .isInstanceOf(RecipeException.class)
                .hasMessageStartingWith("a.yaml:8:43: claims.0.rule " + message)
                .satisfies(e -> assertThat(((RecipeException) e).problems()).hasSize(1));
    }

    @Test
    void everyUndeclaredFigureIsTold() {
        assertThatThrownBy(() -> Study.parse("a.yaml", STUDY.replace("w.rhat < 2", "w.rhatt < r.fidd")))
                .hasMessageContaining("no figure 'rhatt'; did you mean 'rhat'?")
                .hasMessageContaining("no figure 'fidd'; did you mean 'fid'?");
    }

    @Test
    void undeclaredFiguresAreToldWithOtherMistakes() {
        String study = STUDY.replace("w.rhat < 2", "w.rhat < r.fidd").replace("steps: 100", "steps: 3");
        assertThatThrownBy(() -> Study.parse("a.yaml", study))
                .hasMessageContaining("a.yaml:7:35: steps must be at least 24, found 3")
                .hasMessageContaining("no figure 'fidd'; did you mean 'fid'?");
    }

    @Test
    void severalMistakesOfAStudyAreToldAtOnce() {
        String study = STUDY.replace("seeds: 2", "seeds: 0").replace("run: r,", "run: s,");
        assertThatThrownBy(() -> Study.parse("a.yaml", study))
                .hasMessageContaining("a.yaml:5:8: seeds must be at least 1, found 0")
                .hasMessageContaining("a.yaml:7:9: chains samples the run 's', which is not there");
    }

    @Test
    void anUnknownStudyIsToldWithThoseThatThereAre() {
        assertThatThrownBy(() -> Study.named("001"))
                .isInstanceOf(RecipeException.class)
                .hasMessage("001: Kelvin has no study '001' (it has " + String.join(", ", Study.names()) + ")");
    }

    @Test
    void asksForMomentsOfTraining() {
        Study study = Study.parse("a.yaml", STUDY.replace("w.rhat < 2", "'r.gap@start < max(r.gap@end, r.gap@200)'"));
        assertThat(study.inTraining("r"))
                .extracting(asked -> asked.moment().orElseThrow().word())
                .containsExactly("start", "end", "200");
        assertThat(study.inTraining("w")).isEmpty();
        assertThatThrownBy(() -> Study.parse("a.yaml", STUDY.replace("w.rhat < 2", "r.gap@begin < 2")))
                .hasMessageContaining("after '@' there is start, end, least, most or a step");
        assertThatThrownBy(() -> Study.parse("a.yaml", STUDY.replace("w.rhat < 2", "w.rhat@start < 2")))
                .hasMessageContaining("of a run's training");
    }

    @Test
    void ownStudiesAreReadWithTheirRecipes(@TempDir Path folder) throws IOException {
        Path study = Files.writeString(folder.resolve("mine.yaml"), STUDY.replace("recipe: rings", "recipe: my.yaml"));
        assertThatThrownBy(() -> Study.load(study.toString()))
                .isInstanceOf(RecipeException.class)
                .hasMessageStartingWith(study + ":6:26: runs.0.recipe can't be used: ")
                .hasMessageContaining("my.yaml");
        Files.writeString(folder.resolve("my.yaml"), RecipeWriter.yaml(Recipes.named("gmm")));
        assertThat(Study.load(study.toString()).runs().get(0).recipe(5).data())
                .isEqualTo(Recipes.named("gmm").data());
    }

    @Test
    void mistakesOfOwnStudiesHaveAPlace(@TempDir Path folder) throws IOException {
        Path study = Files.writeString(
                folder.resolve("mine.yaml"),
                STUDY.replace("recipe: rings", "recipe: ringz").replace("seeds: 2", "seeds: 0"));
        assertThatThrownBy(() -> Study.load(study.toString())).hasMessageStartingWith(study + ":5:8: ");
        Files.writeString(study, STUDY.replace("recipe: rings", "recipe: ringz"));
        assertThatThrownBy(() -> Study.load(study.toString()))
                .hasMessageStartingWith(study + ":6:26: ")
                .hasMessageContaining("did you mean 'rings'?");
        Files.writeString(study, STUDY.replace("recipe: rings", "recipe: rings, set: [train.batch=0]"));
        assertThatThrownBy(() -> Study.load(study.toString()))
                .hasMessageStartingWith(study + ":6:26: ")
                .hasMessageContaining("batch must be at least 1");
        assertThatThrownBy(() -> Study.load(folder.resolve("none.yaml").toString()))
                .hasMessageContaining("none.yaml");
    }
}

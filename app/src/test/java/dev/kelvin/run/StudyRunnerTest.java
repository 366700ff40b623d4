package dev.kelvin.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kelvin.recipe.Study;
import dev.kelvin.tensor.Device;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StudyRunnerTest {
    private static final Study STUDY = Study.named("001-toy");

    private static StudyRunner.Verdict verdict(double... ratios) {
        List<Map<String, Double>> seeds = new ArrayList<>();
        for (double ratio : ratios) {
            seeds.add(Map.of("gd.rhat", ratio, "sgld.rhat", 1.0));
        }
        return new StudyRunner.Figures(STUDY, seeds).verdict(STUDY.claims().get(0)); // gd.rhat / sgld.rhat >= 10
    }

    @Test
    void aClaimHoldsIfItDoesWithEverySeed() {
        assertThat(verdict(10, 20, Double.POSITIVE_INFINITY)).isEqualTo(StudyRunner.Verdict.HOLDS);
        assertThat(verdict(9, 1, 0.5)).isEqualTo(StudyRunner.Verdict.DOES_NOT_HOLD);
        assertThat(verdict(9, 11, 12)).isEqualTo(StudyRunner.Verdict.UNDECIDED);
        assertThat(verdict(12, Double.NaN, 12)).isEqualTo(StudyRunner.Verdict.UNDECIDED);
    }

    /** Over the seeds 1, 2, 4 the mean is 7/3 and the variance 7/3; one seed alone has no deviation. */
    @Test
    void aRuleMayBeAboutAllSeeds() {
        assertThat(verdictOf("mean(a.fid) > 1.4", 1, 2, 4)).isEqualTo(StudyRunner.Verdict.HOLDS); // 1.5 without 4
        assertThat(verdictOf("mean(a.fid) > 1.6", 1, 2, 4)).isEqualTo(StudyRunner.Verdict.UNDECIDED);
        assertThat(verdictOf("mean(a.fid) > 4", 1, 2, 4)).isEqualTo(StudyRunner.Verdict.DOES_NOT_HOLD);
        assertThat(verdictOf("sd(a.fid) < 2.2", 1, 2, 4)).isEqualTo(StudyRunner.Verdict.HOLDS); // 2.12 without 2
        assertThat(verdictOf("sd(a.fid) < 2.1", 1, 2, 4)).isEqualTo(StudyRunner.Verdict.UNDECIDED);
        assertThat(verdictOf("a.fid < mean(a.fid)", 1, 2, 4)).isEqualTo(StudyRunner.Verdict.UNDECIDED);
        assertThat(verdictOf("sd(a.fid) >= 0", 1)).isEqualTo(StudyRunner.Verdict.UNDECIDED);
        assertThat(verdictOf("mean(a.fid) > 0", 1, 2)).isEqualTo(StudyRunner.Verdict.UNDECIDED);
    }

    /** A claim that fails by less than the seeds differ may hold with more of them. */
    @Test
    void aClaimFailsByMoreThanTheSeedsDiffer() {
        assertThat(verdictOf("a.fid > 5", 4.9, 4.9, 4.0)).isEqualTo(StudyRunner.Verdict.UNDECIDED); // by 0.4, sd 0.52
        assertThat(verdictOf("a.fid > 5", 4.5, 4.4, 4.0)).isEqualTo(StudyRunner.Verdict.DOES_NOT_HOLD);
        assertThat(verdictOf("a.fid > 0", 0, 0, 0)).isEqualTo(StudyRunner.Verdict.DOES_NOT_HOLD); // none ever diverged
        assertThat(verdictOf("a.fid < 1", 3, Double.POSITIVE_INFINITY)).isEqualTo(StudyRunner.Verdict.DOES_NOT_HOLD);
    }

    private static StudyRunner.Verdict verdictOf(String rule, double... fids) {
        List<Map<String, Double>> seeds = new ArrayList<>();
        for (double fid : fids) {
            seeds.add(Map.of("a.fid", fid));
        }
        Study.Claim claim = new Study.Claim("i", "", "", rule, Optional.empty(), Optional.empty());
        return new StudyRunner.Figures(STUDY, seeds).verdict(claim);
    }

    /** Of a run that diverged it is known when, and how good its best checkpoint was; also when it is looked at again. */
    @Test
    void aRunThatDivergedSaysWhenAndHowGoodItWas(@TempDir Path folder) throws IOException {
        Path recipe = folder.resolve("jem.yaml");
        Files.writeString(recipe, """
                data: {images: {set: digits}}
                model: {short-run: {filters: 2}}
                classes: head
                negatives: {start: {uniform: {}}, kernel: {langevin: {stepSize: 1, noise: 0.01}}, steps: 1}
                objective: {cd-ce: {}}
                optimiser: {adam: {learningRate: 30}}
                train:
                  {iterations: 50, batch: 8, checkpointEvery: 1, guard: {bound: 1e5, patience: 1, retries: 0}}
                """);
        Study study = new Study(
                "a",
                "",
                "",
                "",
                1,
                List.of(new Study.Trained("wild", recipe.toString(), List.of())),
                List.of(),
                List.of(),
                List.of());
        List<Map<String, Double>> twice = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            StudyRunner runner = new StudyRunner(study, folder.resolve("runs"), Device.CPU, line -> {}, () -> false);
            twice.add(runner.measure(1).orElseThrow().seeds().get(0));
        }
        assertThat(twice.get(0)).isEqualTo(twice.get(1)).containsEntry("wild.diverged", 1.0);
        assertThat(twice.get(0).get("wild.diverged_at")).isBetween(2.0, 50.0);
        assertThat(twice.get(0).get("wild.steps_trained"))
                .isEqualTo(twice.get(0).get("wild.diverged_at"));
        assertThat(twice.get(0).get("wild.best_accuracy")).isBetween(0.02, 0.98);
    }

    /** As of a run that an older version was killed in before it had written them. */
    @Test
    void whatAFinishedRunLacksIsMadeAgain(@TempDir Path folder) throws IOException {
        Study study = new Study(
                "a",
                "",
                "",
                "",
                1,
                List.of(new Study.Trained(
                        "tiny",
                        "rings",
                        List.of(
                                "model.mlp.hidden=[4]",
                                "negatives.steps=1",
                                "negatives.buffer.size=16",
                                "train.batch=8",
                                "train.iterations=4"))),
                List.of(),
                List.of(),
                List.of());
        StudyRunner runner = new StudyRunner(study, folder, Device.CPU, line -> {}, () -> false);
        runner.measure(1);
        Path run = runner.run("tiny", 0);
        List<String> files = List.of("model.json");
        Map<String, byte[]> before = new HashMap<>();
        for (String file : files) {
            before.put(file, Files.readAllBytes(run.resolve(file)));
            Files.delete(run.resolve(file));
        }
        Files.delete(run.resolve("timing.json"));
        byte[] evaluation = Files.readAllBytes(run.resolve("evaluation.json"));
        runner.measure(1);
        for (String file : files) {
            assertThat(run.resolve(file)).as(file).hasBinaryContent(before.get(file));
        }
        assertThat(run.resolve("timing.json")).hasContent("{\"steps\":0}");
        assertThat(run.resolve("evaluation.json")).hasBinaryContent(evaluation);

        Path recipe = run.resolve("recipe.yaml");
        String text = Files.readString(recipe);
        Files.writeString(recipe, text.replaceFirst("takes: .*", "takes: a week"));
        assertThat(Files.readString(recipe)).isNotEqualTo(text);
        runner.measure(1); // what a recipe says about itself is no setting
        Files.writeString(recipe, text.replaceFirst("batch: 8", "batch: 9"));
        assertThatThrownBy(() -> runner.measure(1)).hasMessageContaining("was made by another recipe");
    }

    @Test
    void aFigureThatWasNotMeasuredLeavesItUndecided() {
        assertThat(new StudyRunner.Figures(STUDY, List.of(Map.of()))
                        .verdict(STUDY.claims().get(0)))
                .isEqualTo(StudyRunner.Verdict.UNDECIDED);
    }
}

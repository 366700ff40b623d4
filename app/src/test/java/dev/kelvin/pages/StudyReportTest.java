package dev.kelvin.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kelvin.recipe.Study;
import dev.kelvin.run.StudyRunner;
import dev.kelvin.tensor.Device;
import dev.kelvin.train.checkpoint.CheckpointChoice;
import dev.kelvin.train.checkpoint.Checkpoints;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StudyReportTest {
    /** Without its newest checkpoint a run that is judged at an earlier one has the same report; without any, no pictures. */
    @Test
    void picturesAreOfTheCheckpointThatWasJudged(@TempDir Path folder) throws IOException {
        List<String> settings = List.of(
                "model.mlp.hidden=[4]",
                "negatives.steps=1",
                "negatives.buffer.size=16",
                "optimiser.adam.schedule={constant: {}}",
                "optimiser.adam.learningRate=0.3",
                "train.batch=8",
                "train.ema=0",
                "train.iterations=8",
                "train.checkpointEvery=1",
                "train.evaluate=best");
        Study study = new Study(
                "a",
                "",
                "",
                "",
                1,
                List.of(new Study.Trained("tiny", "rings", settings)),
                List.of(),
                List.of(),
                List.of(new Study.Plot("the loss", "", "loss", "step", List.of("tiny"), List.of(), false)));
        StudyRunner runner = new StudyRunner(study, folder, Device.CPU, line -> {}, () -> false);
        List<StudyReport.Measured> measured = List.of(
                new StudyReport.Measured(study, runner, runner.measure(1).orElseThrow()));
        String before = StudyReport.of(measured).html();
        assertThat(before).contains("the loss").contains("tiny, seed 0");

        Path saved = runner.run("tiny", 0).resolve("checkpoints");
        Checkpoints checkpoints = new Checkpoints(saved);
        long newest = checkpoints.newest().orElseThrow().step();
        assertThat(checkpoints
                        .read(CheckpointChoice.BEST, tensor -> false)
                        .map(Checkpoints.Saved::header)
                        .orElseThrow()
                        .step())
                .isLessThan(newest);
        for (String kind : List.of("json", "safetensors")) {
            Files.delete(saved.resolve(String.format("%09d.%s", newest, kind)));
        }
        assertThat(StudyReport.of(measured).html().equals(before))
                .as("the report is the same") // a failure that prints both would be a megabyte
                .isTrue();

        try (Stream<Path> files = Files.list(saved)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        StudyRunner.Figures again = runner.measure(1).orElseThrow();
        assertThat(again.seeds()).isEqualTo(measured.get(0).figures().seeds());
        String without = StudyReport.of(List.of(new StudyReport.Measured(study, runner, again)))
                .html();
        assertThat(without).contains("the loss").doesNotContain("tiny, seed 0");
    }
}

package dev.kelvin.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kelvin.dataset.WorkListener;
import dev.kelvin.experiment.Experiment;
import dev.kelvin.judge.Evaluation;
import dev.kelvin.judge.Judge;
import dev.kelvin.recipe.Recipe;
import dev.kelvin.recipe.Recipes;
import dev.kelvin.tensor.Device;
import dev.kelvin.train.StepReport;
import dev.kelvin.train.TrainListener;
import dev.kelvin.train.checkpoint.CheckpointChoice;
import dev.kelvin.train.loop.Trainer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Options of several papers in one run, trained, stopped, resumed and judged in its folder. */
class RobustTimesTest {
    @TempDir
    private Path folder;

    private static Recipe recipe(String objective) {
        return Recipes.load(
                "spiral-cdce",
                List.of(
                        "data.toy=gmm",
                        "model={mlp: {hidden: [8]}}",
                        "time={count: 3, pinned: false, annealing: {steps: 1}}",
                        "negatives.steps={from: 1, to: 2, after: 1, over: 2}",
                        "objective={" + objective + ": {by: {robust: {beta: 0.5, variant: batch-corrected}}}}",
                        "optimiser.adam.schedule={milestones: {at: [2], factor: 0.5}}",
                        "train={iterations: 4, batch: 8, logEvery: 1}"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"cd-ce", "joint-cd", "conditional-cd"})
    void aStoppedRunEqualsAWholeOne(String objective) throws IOException {
        Recipe recipe = recipe(objective);
        RunFolder whole = train(recipe, "whole", 4);
        RunFolder stopped = train(recipe, "stopped", 2);
        try (Experiment experiment = new Experiment(stopped.recipe(List.of()), Device.CPU)) {
            Runner runner = new Runner(stopped, Device.CPU);
            runner.resume(experiment, List.of(), false);
            assertThat(runner.train(experiment, new TrainListener() {}, () -> false))
                    .isEqualTo(Trainer.Outcome.FINISHED);
        }
        assertThat(stopped.metrics()).hasSameTextualContentAs(whole.metrics());
        for (String file : List.of("000000004.safetensors", "000000004.json")) {
            assertThat(Files.readAllBytes(stopped.checkpoints().resolve(file)))
                    .isEqualTo(Files.readAllBytes(whole.checkpoints().resolve(file)));
        }
    }

    @Test
    void isJudged() throws IOException {
        RunFolder run = train(recipe("joint-cd"), "judged", 4);
        try (Experiment experiment = new Experiment(run.recipe(List.of()), Device.CPU)) {
            Runner runner = new Runner(run, Device.CPU);
            assertThat(runner.restore(experiment, CheckpointChoice.NEWEST)).isEqualTo(4);
            Evaluation evaluation =
                    runner.evaluate(experiment, Judge.of(experiment).measured(), 4, WorkListener.SILENT);
            assertThat(evaluation.figures())
                    .containsKeys("kl", "sample_tv", "log_z_max", "step_ratio", "effective_negatives");
            assertThat(Evaluation.read(run.evaluation()).figures()).isEqualTo(evaluation.figures());
        }
    }

    private RunFolder train(Recipe recipe, String name, int until) throws IOException {
        try (Experiment experiment = new Experiment(recipe, Device.CPU)) {
            RunFolder run = RunFolder.create(folder.resolve(name), recipe, Provenance.of(experiment, Device.CPU));
            int[] done = {0};
            TrainListener counting = new TrainListener() {
                @Override
                public void stepped(long step, StepReport report) {
                    done[0] = (int) step;
                }
            };
            new Runner(run, Device.CPU).train(experiment, counting, () -> done[0] >= until);
            return run;
        }
    }
}

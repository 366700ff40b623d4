package dev.kelvin.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kelvin.experiment.Experiment;
import dev.kelvin.recipe.Recipe;
import dev.kelvin.recipe.Recipes;
import dev.kelvin.tensor.Device;
import dev.kelvin.train.StepReport;
import dev.kelvin.train.TrainListener;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The curve of KL(data‖model), which has more points than there are checkpoints. */
class ScoreCurveTest {
    @TempDir
    private Path folder;

    private static Recipe recipe(int iterations) {
        return Recipes.load(
                "rings",
                List.of(
                        "model={mlp: {hidden: [4]}}",
                        "negatives.steps=1",
                        "negatives.buffer.size=16",
                        "optimiser.adam.schedule=constant",
                        "train={iterations: " + iterations + ", batch: 4, logEvery: 10, checkpointEvery: 25}"));
    }

    @Test
    void itHasNinePointsForEachPowerOfTen() throws IOException {
        RunFolder run = train(folder.resolve("whole"), recipe(45), 45);
        assertThat(scored(run)).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 10L, 20L, 25L, 30L, 40L, 45L);
    }

    /** Stopped at a step with a point and at one without, and extended from an end that has one and from one that has not. */
    @Test
    void aStoppedOrAnExtendedRunHasTheSamePoints() throws IOException {
        RunFolder whole = train(folder.resolve("whole"), recipe(45), 45);
        for (int until : new int[] {3, 13}) {
            RunFolder stopped = train(folder.resolve("stopped" + until), recipe(45), until);
            assertSame(goneOn(stopped, List.of()), whole);
        }
        for (int end : new int[] {20, 23}) {
            RunFolder extended = train(folder.resolve("extended" + end), recipe(end), end);
            assertSame(goneOn(extended, List.of("train.iterations=45")), whole);
        }
    }

    /** Nor does the best checkpoint change: its score is measured where it was. */
    private static void assertSame(RunFolder run, RunFolder whole) throws IOException {
        assertThat(run.metrics()).hasSameTextualContentAs(whole.metrics());
        assertThat(Files.readAllBytes(run.checkpoints().resolve("000000045.safetensors")))
                .isEqualTo(Files.readAllBytes(whole.checkpoints().resolve("000000045.safetensors")));
    }

    private static List<Long> scored(RunFolder run) throws IOException {
        return new MetricsLog(run.metrics())
                .read().stream()
                        .filter(line -> line.values().containsKey("kl"))
                        .map(MetricsLog.Line::step)
                        .toList();
    }

    private static RunFolder goneOn(RunFolder run, List<String> changes) throws IOException {
        try (Experiment experiment = new Experiment(run.recipe(changes), Device.CPU)) {
            Runner runner = new Runner(run, Device.CPU);
            runner.resume(experiment, changes, false);
            runner.train(experiment, new TrainListener() {}, () -> false);
            return run;
        }
    }

    private static RunFolder train(Path path, Recipe recipe, int until) throws IOException {
        try (Experiment experiment = new Experiment(recipe, Device.CPU)) {
            RunFolder run = RunFolder.create(path, recipe, Provenance.of(experiment, Device.CPU));
            long[] done = {0};
            TrainListener counting = new TrainListener() {
                @Override
                public void stepped(long step, StepReport report) {
                    done[0] = step;
                }
            };
            new Runner(run, Device.CPU).train(experiment, counting, () -> done[0] >= until);
            return run;
        }
    }
}

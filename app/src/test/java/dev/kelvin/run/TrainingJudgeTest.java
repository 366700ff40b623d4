package dev.kelvin.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kelvin.experiment.Experiment;
import dev.kelvin.recipe.Recipe;
import dev.kelvin.recipe.Recipes;
import dev.kelvin.tensor.Device;
import dev.kelvin.train.TrainListener;
import dev.kelvin.yaml.RecipeException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** FID and Inception score while a model of images trains. */
class TrainingJudgeTest {
    @TempDir
    private Path folder;

    private static Recipe recipe(String... more) {
        List<String> changes = new ArrayList<>(List.of(
                "model.short-run.filters=2",
                "negatives.steps=1",
                "train.iterations=7",
                "train.batch=8",
                "train.logEvery=2",
                "train.checkpointEvery=5"));
        changes.addAll(List.of(more));
        return Recipes.load("digits-jem-small", changes);
    }

    private RunFolder train(String name, Recipe recipe, int until) throws IOException {
        return StoppedRun.train(folder.resolve(name), recipe, until);
    }

    private static List<MetricsLog.Line> judged(RunFolder run, String figure) throws IOException {
        return new MetricsLog(run.metrics())
                .read().stream()
                        .filter(line -> line.values().containsKey(figure))
                        .toList();
    }

    /** Nothing of training depends on it, and a run that was stopped has the same curve. */
    @Test
    void theBufferIsMeasuredEverySoManyIterations() throws IOException {
        RunFolder plain = train("plain", recipe(), 7);
        RunFolder whole = train("whole", recipe("train.judgeEvery=3"), 7);
        assertThat(judged(whole, "fid_buffer"))
                .extracting(MetricsLog.Line::step)
                .containsExactly(3L, 6L);
        MetricsLog.Line first = judged(whole, "fid_buffer").get(0);
        assertThat(first.values()).containsOnlyKeys("fid_buffer", "is_buffer", "buffer_unlikely");
        assertThat(first.values().get("is_buffer")).isBetween(1.0, 10.0);
        assertThat(first.values().get("buffer_unlikely")).isBetween(0.0, 1.0);
        List<MetricsLog.Line> rest = new ArrayList<>(new MetricsLog(whole.metrics()).read());
        rest.removeIf(line -> line.values().containsKey("fid_buffer"));
        assertThat(rest).isEqualTo(new MetricsLog(plain.metrics()).read());

        RunFolder stopped = train("stopped", recipe("train.judgeEvery=3"), 4);
        try (Experiment experiment = new Experiment(stopped.recipe(List.of()), Device.CPU)) {
            Runner runner = new Runner(stopped, Device.CPU);
            runner.resume(experiment, List.of(), false);
            runner.train(experiment, new TrainListener() {}, () -> false);
        }
        assertThat(stopped.metrics()).hasSameTextualContentAs(whole.metrics());

        RunFolder fresh = train("fresh", withoutBuffer(), 3);
        assertThat(judged(fresh, "fid").get(0).values()).containsOnlyKeys("fid", "is");
    }

    private static Recipe withoutBuffer() {
        return Recipes.load(
                "digits-shortrun-small",
                List.of("model.short-run.filters=2", "negatives.steps=1", "train.iterations=3", "train.judgeEvery=3"));
    }

    @Test
    void pointsHaveNoFid() {
        assertThatThrownBy(() -> Recipes.load("rings", List.of("train.judgeEvery=5")))
                .isInstanceOf(RecipeException.class)
                .hasMessageContaining("train.judgeEvery measures FID and Inception scores, which only images have");
    }
}

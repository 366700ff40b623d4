package dev.kelvin.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kelvin.dataset.WorkListener;
import dev.kelvin.experiment.Experiment;
import dev.kelvin.judge.Evaluation;
import dev.kelvin.model.Model;
import dev.kelvin.recipe.Recipe;
import dev.kelvin.recipe.Recipes;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import dev.kelvin.train.TrainListener;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run whose checkpoints are saved in parts, beside the same run with whole ones. */
class CheckpointPartsRunTest {
    private static final List<String> SHORT = List.of(
            "model.short-run.filters=2",
            "negatives.steps=1",
            "negatives.buffer.size=10000", // 64 floats each: 2.4 MiB
            "train.iterations=2",
            "train.batch=8",
            "train.evaluate=best");

    @TempDir
    private Path folder;

    private RunFolder train(String name) throws IOException {
        Recipe recipe = Recipes.load("digits-jem-small", SHORT);
        try (Experiment experiment = new Experiment(recipe, Device.CPU)) {
            RunFolder run = RunFolder.create(folder.resolve(name), recipe, Provenance.of(experiment, Device.CPU));
            new Runner(run, Device.CPU).train(experiment, new TrainListener() {}, () -> false);
            return run;
        }
    }

    private static Evaluation goOn(RunFolder run, String... more) throws IOException {
        List<String> changes =
                Stream.concat(Stream.of("train.iterations=4"), Stream.of(more)).toList();
        try (Experiment experiment = new Experiment(run.recipe(changes), Device.CPU)) {
            Runner runner = new Runner(run, Device.CPU);
            runner.resume(experiment, changes, false);
            runner.train(experiment, new TrainListener() {}, () -> false);
            return runner.judge(experiment, WorkListener.SILENT, step -> {}).evaluation();
        }
    }

    private static List<String> newest(RunFolder run) throws IOException {
        try (Stream<Path> files = Files.list(run.checkpoints())) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith("000000004.safetensors"))
                    .sorted()
                    .toList();
        }
    }

    private static double[] scores(RunFolder run) throws IOException {
        try (Scope scope = Scope.open();
                Model model = Model.load(run.path())) {
            Tensor x = Tensors.normal(Key.of(1), 3, 1, 8, 8);
            return model.logDensity().at(x).toDoubles();
        }
    }

    /** Cut in the middle of the run, at the same bytes: resumed from one file, judged and loaded from three. */
    @Test
    void isJudgedAndLoadedAsWithWholeOnes() throws IOException {
        RunFolder whole = train("whole");
        RunFolder cut = train("cut");
        Evaluation ofWhole = goOn(whole);
        Evaluation ofCut = goOn(cut, "train.largestFile=1");
        assertThat(newest(whole)).containsExactly("000000004.safetensors");
        assertThat(newest(cut))
                .containsExactly(
                        "000000004.safetensors.001-of-003",
                        "000000004.safetensors.002-of-003",
                        "000000004.safetensors.003-of-003");
        assertThat(ofCut.figures()).isEqualTo(ofWhole.figures());
        assertThat(scores(cut)).isEqualTo(scores(whole));
    }
}

package dev.kelvin.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kelvin.dataset.WorkListener;
import dev.kelvin.experiment.Experiment;
import dev.kelvin.judge.Evaluation;
import dev.kelvin.judge.Judge;
import dev.kelvin.metric.figure.ModelFigures;
import dev.kelvin.pages.RunReport;
import dev.kelvin.recipe.Recipe;
import dev.kelvin.recipe.Recipes;
import dev.kelvin.tensor.Device;
import dev.kelvin.train.StepReport;
import dev.kelvin.train.TrainListener;
import dev.kelvin.yaml.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A run that is disturbed: its files can't be written, or its folder is taken away. */
class RunnerTest {
    private static final int ITERATIONS = 4;

    private static final Recipe RECIPE = Recipes.load(
            "rings",
            List.of(
                    "model.mlp.hidden=[4]",
                    "negatives.steps=1",
                    "negatives.buffer.size=16",
                    "train.batch=8",
                    "train.iterations=" + ITERATIONS,
                    "train.checkpointEvery=2",
                    "train.logEvery=100"));

    private static final TrainListener QUIET = new TrainListener() {};

    /** One that nobody disturbed. */
    private static RunFolder whole = new RunFolder(Path.of(""), Optional.empty());

    @TempDir
    private Path folder;

    @BeforeAll
    static void trainUndisturbed(@TempDir Path runs) throws IOException {
        whole = create(runs.resolve("whole"));
        trainAndEvaluate(whole, QUIET);
    }

    private static RunFolder create(Path path) throws IOException {
        try (Experiment experiment = new Experiment(RECIPE, Device.CPU)) {
            return RunFolder.create(path, RECIPE, Provenance.of(experiment, Device.CPU));
        }
    }

    private static void train(RunFolder run, TrainListener listener) throws IOException {
        try (Experiment experiment = new Experiment(run.recipe(List.of()), Device.CPU)) {
            new Runner(run, Device.CPU).train(experiment, listener, () -> false);
        }
    }

    private static void trainAndEvaluate(RunFolder run, TrainListener listener) throws IOException {
        try (Experiment experiment = new Experiment(run.recipe(List.of()), Device.CPU)) {
            Runner runner = new Runner(run, Device.CPU);
            runner.train(experiment, listener, () -> false);
            long step = runner.restoreJudged(experiment);
            runner.evaluate(experiment, Judge.of(experiment).measured(), step, WorkListener.SILENT);
        }
    }

    /** The classifier whose features are compared once lay in whichever folder one stood in. */
    @Test
    void theFeatureClassifierLiesBesideTheRun() throws IOException {
        List<String> small = List.of("model.short-run.filters=2", "negatives.steps=1", "train.iterations=1");
        Recipe recipe = Recipes.load("digits-shortrun-small", small);
        try (Experiment experiment = new Experiment(recipe, Device.CPU)) {
            RunFolder run = RunFolder.create(folder.resolve("a"), recipe, Provenance.of(experiment, Device.CPU));
            Runner runner = new Runner(run, Device.CPU);
            runner.train(experiment, QUIET, () -> false);
            runner.evaluate(experiment, Judge.of(experiment).measured(), 1, WorkListener.SILENT);
        }
        assertThat(folder.resolve("features").resolve("digits.safetensors")).exists();
    }

    /** Something happens to the run. */
    private interface Event {
        void happen() throws IOException;
    }

    private static TrainListener atStep(long when, Event event) {
        return new TrainListener() {
            @Override
            public void stepped(long step, StepReport report) throws IOException {
                if (step == when) {
                    event.happen();
                }
            }
        };
    }

    private static List<String> names(Path path) throws IOException {
        try (Stream<Path> files = Files.walk(path)) {
            return files.filter(Files::isRegularFile)
                    .map(file -> path.relativize(file).toString())
                    .sorted()
                    .toList();
        }
    }

    // ---- checkpoints that are loaded

    /** An internal error of loading is not reported as a recipe that does not fit its checkpoint. */
    @Test
    void aFreedModelIsNoMisfit() throws IOException {
        Experiment freed = new Experiment(whole.recipe(List.of()), Device.CPU);
        freed.close();
        assertThatThrownBy(() -> new Runner(whole, Device.CPU).restoreJudged(freed))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("this tensor was freed");
    }

    // ---- files that can't be written

    /**
     * Before each of them is written, a folder takes its place, so that the run ends there; as in a kill, what was written
     * before stays, and what comes after is missing. The one named .tmp1 stops what happens after the last save.
     */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "timing.json",
                "checkpoints/000000004.safetensors",
                "checkpoints/000000004.json",
                "checkpoints/000000003.json.tmp1",
                "model.json",
                "evaluation.json"
            })
    void aRunThatEndedAtAnyFileHasAllOfThemWhenItIsResumed(String file) throws IOException {
        RunFolder run = create(folder.resolve("run"));
        Path inTheWay = run.path().resolve(file);
        Path within = inTheWay.resolve("a file, so that it can neither be removed nor replaced");
        TrainListener blocking = atStep(ITERATIONS - 1, () -> {
            Files.deleteIfExists(inTheWay);
            Files.createDirectory(inTheWay);
            Files.createFile(within);
        });
        assertThatThrownBy(() -> trainAndEvaluate(run, blocking)).isInstanceOf(IOException.class);
        Files.delete(within);
        Files.delete(inTheWay);
        assertThat(run.evaluation()).doesNotExist(); // or it would be taken for finished
        trainAndEvaluate(run, QUIET);
        assertThat(names(run.path())).isEqualTo(names(whole.path()));
        assertThat(run.times()).containsKey(ModelFigures.MS_PER_STEP.name());
        for (String name : names(whole.path())) {
            if (!name.equals("timing.json") && !name.equals("provenance.json")) { // what depends on the clock
                assertThat(run.path().resolve(name))
                        .as(name)
                        .hasSameBinaryContentAs(whole.path().resolve(name));
            }
        }
    }

    /** It takes no step, and so has nothing to say of their time. */
    @Test
    void aFinishedRunKeepsItsTimesOrSaysThatThereAreNone() throws IOException {
        RunFolder run = create(folder.resolve("run"));
        train(run, QUIET);
        byte[] before = Files.readAllBytes(run.timing());
        train(run, QUIET);
        assertThat(run.timing()).hasBinaryContent(before);
        Files.delete(run.timing());
        train(run, QUIET);
        assertThat(run.timing()).hasContent("{\"steps\":0}");
        assertThat(run.times()).isEmpty();
    }

    // ---- folders that are taken away

    private Event taking(RunFolder run, boolean deleted) {
        Path away = folder.resolve("away");
        return () -> {
            Files.move(run.path(), away);
            if (deleted) {
                try (Stream<Path> files = Files.walk(away)) {
                    for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                        Files.delete(file);
                    }
                }
            }
        };
    }

    private void assertStopped(RunFolder run, ThrowableAssert.ThrowingCallable work) {
        assertThatThrownBy(work)
                .isInstanceOf(UserException.class)
                .hasMessageContaining(run.path() + " was removed or moved while it was in use");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aFolderThatIsTakenAwayWhileItTrainsDoesNotComeBack(boolean deleted) throws IOException {
        RunFolder run = create(folder.resolve("run"));
        assertStopped(run, () -> train(run, atStep(3, taking(run, deleted))));
        assertThat(run.path()).doesNotExist();
    }

    /** In the middle of a save, after it was asked whether the folder is there. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void norWhileItSaves(boolean deleted) throws IOException {
        RunFolder run = create(folder.resolve("run"));
        Event taking = taking(run, deleted);
        assertStopped(
                run,
                () -> train(run, new TrainListener() {
                    @Override
                    public void saving() throws IOException {
                        taking.happen();
                    }
                }));
        assertThat(run.path()).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void norWhileItIsJudged(boolean deleted) throws IOException {
        RunFolder run = create(folder.resolve("run"));
        train(run, QUIET);
        try (Experiment experiment = new Experiment(run.recipe(List.of()), Device.CPU)) {
            Runner runner = new Runner(run, Device.CPU);
            long step = runner.restoreJudged(experiment);
            Judge judgement = Judge.of(experiment).measured();
            taking(run, deleted).happen();
            assertStopped(run, () -> runner.evaluate(experiment, judgement, step, WorkListener.SILENT));
            assertStopped(run, () -> runner.restoreJudged(experiment));
            assertStopped(run, run::samples);
            assertStopped(
                    run,
                    () -> RunReport.write(run, experiment, judgement, new Evaluation(Map.of(), Map.of(), List.of())));
        }
        assertThat(run.path()).doesNotExist();
    }

    /** The default name is free then, and the next run takes it. */
    @Test
    void whatAnotherRunHasInItsPlaceIsLeftAlone() throws IOException {
        RunFolder run = create(folder.resolve("run"));
        assertStopped(
                run,
                () -> train(run, atStep(1, () -> {
                    taking(run, false).happen();
                    create(run.path());
                })));
        assertThat(names(run.path())).containsExactly("provenance.json", "recipe.yaml");
    }
}

package dev.kelvin.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kelvin.experiment.Experiment;
import dev.kelvin.run.Jobs;
import dev.kelvin.run.RunFolder;
import dev.kelvin.run.Runner;
import dev.kelvin.run.UnattendedRun;
import dev.kelvin.sweep.SweepRun.State;
import dev.kelvin.tensor.Backend;
import dev.kelvin.tensor.Device;
import dev.kelvin.yaml.RecipeException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sweeps of runs of a few steps, from the first to the last. */
class SweepRunnerTest {
    /** The second learning rate breaks the numbers at once. */
    private static final List<String> SET = List.of(
            "optimiser.adam.learningRate=1e-3,1e30",
            "train.batch=8,9",
            "train.iterations=6",
            "train.checkpointEvery=2",
            "train.guard.retries=0",
            "optimiser.adam.schedule=constant",
            "model.mlp.hidden=[4]",
            "negatives.steps=1",
            "negatives.buffer.size=16");

    private static final List<String> NAMES = List.of(
            "1_learningRate=1e-3_batch=8_seed=3",
            "2_learningRate=1e-3_batch=9_seed=3",
            "3_learningRate=1e30_batch=8_seed=3",
            "4_learningRate=1e30_batch=9_seed=3");

    private static final UnattendedRun.Finishing PAGE = new UnattendedRun.Finishing() {
        @Override
        public boolean isDone(RunFolder folder) {
            return Files.exists(folder.report());
        }

        @Override
        public void finish(RunFolder folder, Experiment experiment, Runner.Judged judged) throws IOException {
            Files.writeString(folder.report(), "a page");
        }
    };

    @TempDir
    private static Path shared;

    /** All runs, one after the other. */
    private static SweepFolder whole;

    @TempDir
    private Path folder;

    private static Sweep sweep(List<String> set) {
        return new Sweep("rings", List.of(), set, List.of(3L), OptionalInt.empty());
    }

    private static SweepFolder made(Path path) throws IOException {
        return SweepFolder.of(path, SweepPlan.of(sweep(SET), recipe -> recipe, Device.CPU));
    }

    private static List<String> train(List<SweepRun> runs, int jobs, BooleanSupplier stop) throws IOException {
        List<String> told = Collections.synchronizedList(new ArrayList<>());
        new SweepRunner(Device.CPU, new Jobs(jobs, stop), PAGE, told::add).train(runs);
        return told;
    }

    private static List<State> states(SweepFolder sweep) throws IOException {
        return sweep.results().stream().map(SweepRun.Result::state).toList();
    }

    @BeforeAll
    static void trainAll() throws IOException {
        Backend.threads(1);
        whole = made(shared.resolve("whole"));
        train(whole.runs(), 1, () -> false);
    }

    @Test
    void aRunThatDivergesStopsNoOther() throws IOException {
        assertThat(whole.runs()).extracting(SweepRun::name).containsExactlyElementsOf(NAMES);
        assertThat(states(whole)).containsExactly(State.FINISHED, State.FINISHED, State.DIVERGED, State.DIVERGED);
        assertThat(whole.results().get(0).figures()).containsKey("kl");
        assertThat(whole.results().get(2).why()).contains("step ");
        SweepTable.write(whole, whole.results());
        List<String> rows = Files.readAllLines(whole.table());
        assertThat(rows).hasSize(5);
        assertThat(rows.get(0))
                .startsWith("run,state,optimiser.adam.learningRate,train.batch,seed,")
                .endsWith(",why");
        assertThat(rows.get(2)).startsWith(NAMES.get(1) + ",finished,1e-3,9,3,");
        assertThat(rows.get(4)).startsWith(NAMES.get(3) + ",diverged,1e30,9,3,,");
    }

    @Test
    void whatIsOverIsLeftAlone() throws IOException {
        Path file = whole.path().resolve(NAMES.get(0)).resolve("evaluation.json");
        Object before = Files.getLastModifiedTime(file);
        assertThat(train(SweepFolder.open(whole.path()).runs(), 2, () -> false)).isEmpty();
        assertThat(Files.getLastModifiedTime(file)).isEqualTo(before);
    }

    /** Two tasks, of two runs at once each; one is stopped in its second run, and then resumed. */
    @Test
    void sharesAndStopsLeadToTheSameBytes() throws IOException {
        SweepFolder here = made(folder.resolve("other"));
        List<SweepRun> runs = here.runs();
        Path second = runs.get(1).path();
        train(List.of(runs.get(0), runs.get(1)), 1, () -> Files.exists(second));
        assertThat(states(here)).containsExactly(State.FINISHED, State.UNFINISHED, State.UNFINISHED, State.UNFINISHED);
        assertThat(second.resolve("checkpoints")).isNotEmptyDirectory();

        SweepFolder joined = made(here.path()); // as the next task does, by the same command
        assertThat(joined).isEqualTo(here);
        try (Closeable lock = RunFolder.open(second).lock()) {
            assertThat(train(runs.subList(1, 2), 1, () -> false))
                    .containsExactly(NAMES.get(1) + ": left to another process, which trains it");
        }
        assertThat(train(runs, 2, () -> false)).hasSize(3).noneMatch(line -> line.startsWith(NAMES.get(0)));
        assertThat(states(here)).isEqualTo(states(whole));
        SweepTable.write(whole, whole.results());
        SweepTable.write(here, here.results());
        assertThat(here.table()).hasSameBinaryContentAs(whole.table());
        for (SweepRun run : runs) {
            assertSameRun(run.path(), whole.path().resolve(run.name()));
        }
        assertThat(Files.readString(second.resolve("provenance.json"))).contains("resumed 1");
    }

    private static void assertSameRun(Path actual, Path expected) throws IOException {
        List<String> files = results(expected);
        assertThat(results(actual)).isEqualTo(files).contains("metrics.jsonl", "recipe.yaml");
        for (String file : files) {
            assertThat(actual.resolve(file)).as(file).hasSameBinaryContentAs(expected.resolve(file));
        }
    }

    /** All but what the clock is in. */
    private static List<String> results(Path run) throws IOException {
        try (Stream<Path> files = Files.walk(run)) {
            return files.filter(Files::isRegularFile)
                    .map(file -> run.relativize(file).toString())
                    .filter(name -> !name.matches("\\.lock|provenance\\.json|timing\\.json"))
                    .sorted()
                    .toList();
        }
    }

    /** What is in the way of one run is told, and tried again. */
    @Test
    void aRunThatFailsIsTriedAgain() throws IOException {
        SweepFolder here = made(folder.resolve("other"));
        SweepRun diverging = here.runs().get(2); // the fastest
        Files.createDirectory(diverging.path());
        Files.writeString(diverging.path().resolve("mine"), "");
        assertThat(train(List.of(diverging), 1, () -> false))
                .singleElement()
                .asString()
                .contains(": failed: ");
        assertThat(here.results().get(2).why()).contains("is not a run");
        assertThat(here.results().get(2).state()).isEqualTo(State.FAILED);
        Files.delete(diverging.path().resolve("mine"));
        Files.delete(diverging.path());
        train(List.of(diverging), 1, () -> false);
        assertThat(here.results().get(2).state()).isEqualTo(State.DIVERGED);
        assertThat(diverging.failure()).doesNotExist();
    }

    // ---- refused before anything is trained

    @Test
    void everyMistakeOfEveryPointIsToldAtOnce() {
        List<String> set = List.of("negatives.steps=1,-1,-2", "train.batch=8,x", "objectiv.a=1");
        assertThatThrownBy(() -> SweepPlan.of(sweep(set), recipe -> recipe, Device.CPU))
                .isInstanceOf(RecipeException.class)
                .hasMessageContaining("--set negatives.steps=-2: ")
                .hasMessageContaining("--set negatives.steps=-1: ")
                .hasMessageContaining("--set train.batch=x: ")
                .hasMessageContaining("--set objectiv.a=1: ")
                .hasMessageContaining("did you mean 'objective'?")
                .satisfies(thrown -> assertThat(thrown.getMessage().lines()).hasSize(4));
    }

    @Test
    void pointsThatAreTheSameAreRefused() {
        List<String> set = List.of("negatives.kernel.mala.stepSize=0.1,1e-1");
        assertThatThrownBy(() -> SweepPlan.of(sweep(set), recipe -> recipe, Device.CPU))
                .hasMessageContaining("set makes the same recipe twice: by stepSize 0.1, and by stepSize 1e-1");
    }

    @Test
    void anotherSweepInTheFolderIsRefusedWithWhatDiffers() throws IOException {
        List<String> more = new ArrayList<>(SET);
        more.set(1, "train.batch=8,9,10");
        assertThatThrownBy(() -> SweepFolder.of(whole.path(), SweepPlan.of(sweep(more), recipe -> recipe, Device.CPU)))
                .hasMessageContaining("holds another sweep: it has --set train.batch=8,9 where this one has --set"
                        + " train.batch=8,9,10; name another folder")
                .hasMessageContaining("kelvin sweep --resume");
        Path empty = Files.createDirectory(folder.resolve("empty"));
        made(empty);
        Path recipe = empty.resolve("recipes/1_learningRate=1e-3_batch=8.yaml");
        Files.writeString(recipe, Files.readString(recipe).replace("batch: 8", "batch: 7"));
        assertThatThrownBy(() -> made(empty))
                .hasMessageContaining("train.batch of 1_learningRate=1e-3_batch=8 is 7 there and 8 here");
        Files.delete(recipe);
        assertThatThrownBy(() -> SweepFolder.open(empty)).hasMessageContaining("is not there");
        assertThatThrownBy(() -> SweepFolder.open(whole.runs().get(0).path()))
                .hasMessageContaining("a run is resumed by: kelvin train --resume");
        assertThatThrownBy(() -> RunFolder.open(whole.path()))
                .hasMessageContaining("a sweep is resumed by: kelvin sweep --resume");
        assertThatThrownBy(() -> SweepFolder.open(folder.resolve("nowhere"))).hasMessageContaining("there is no sweep");
        Path other = Files.createDirectory(folder.resolve("full"));
        Files.writeString(other.resolve("mine.txt"), "mine");
        assertThatThrownBy(() -> made(other)).hasMessageContaining("is not a sweep");
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files.filter(file -> file.getFileName().toString().startsWith(".")))
                    .isEmpty();
        }
    }
}
